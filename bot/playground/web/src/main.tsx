import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Page } from "./page";
import "./styles";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
