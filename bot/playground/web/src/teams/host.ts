/** How cards look here: in the page's own colours, which change with its theme. */

import { HostConfig } from "adaptivecards";

const ink = (colour: string) => ({ default: colour, subtle: "var(--quiet)" });
const COLOURS = {
  default: ink("var(--text)"),
  dark: ink("var(--text)"),
  light: ink("var(--quiet)"),
  accent: ink("var(--accent)"),
  good: ink("var(--good)"),
  warning: ink("var(--teams-warning)"),
  attention: ink("var(--bad)"),
};
const style = (backgroundColor: string) => ({ backgroundColor, foregroundColors: COLOURS });

export const HOST = new HostConfig({
  supportsInteractivity: true,
  fontFamily: "inherit",
  fontSizes: { small: 12.5, default: 14.5, medium: 16, large: 19, extraLarge: 24 },
  fontWeights: { lighter: 300, default: 400, bolder: 600 },
  lineHeights: { small: 18, default: 21, medium: 23, large: 26, extraLarge: 32 },
  spacing: { small: 5, default: 10, medium: 14, large: 20, extraLarge: 28, padding: 16 },
  separator: { lineThickness: 1, lineColor: "var(--line)" },
  containerStyles: { default: style("transparent"), emphasis: style("var(--sunk)") },
  textBlock: { headingLevel: 3 },
  actions: {
    maxActions: 6,
    spacing: "medium",
    buttonSpacing: 8,
    actionsOrientation: "horizontal",
    actionAlignment: "left",
    allowTitleToWrap: true,
  },
  inputs: {
    label: {
      inputSpacing: "small",
      requiredInputs: { weight: "bolder" },
      optionalInputs: { weight: "bolder" },
    },
  },
  table: { cellSpacing: 8 },
});
