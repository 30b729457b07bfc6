import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Page } from "./page";
import "./styles/base.css";
import "./styles/chat.css";
import "./styles/blocks.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
