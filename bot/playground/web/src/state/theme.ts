/** Light or dark: as the system has it, or as it was switched to in this browser. */

import { useEffect, useState } from "react";

export type Theme = "light" | "dark";
const KEPT = "masis-playground-theme";

function kept(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEPT);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined; // A browser may keep nothing for this page.
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // Then it holds until the page is closed.
  }
}

export function useTheme(): [Theme, () => void] {
  const [own, setOwn] = useState(kept);
  const [system, setSystem] = useState<Theme>(() => (dark().matches ? "dark" : "light"));
  useEffect(() => {
    const query = dark();
    const heard = () => setSystem(query.matches ? "dark" : "light");
    query.addEventListener("change", heard);
    return () => query.removeEventListener("change", heard);
  }, []);
  const theme = own ?? system;
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return [
    theme,
    () => {
      const next = theme === "dark" ? "light" : "dark";
      keep(next);
      setOwn(next);
    },
  ];
}

function dark(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}
