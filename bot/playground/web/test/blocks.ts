/** One block of every kind, as an app may send it: for the tests, and for the picture of them all. */

import type { Json } from "../src/blocks/json";

const text = (words: string) => ({ type: "plain_text", text: words });
const mrkdwn = (words: string) => ({ type: "mrkdwn", text: words });
const option = (words: string, value: string) => ({ text: text(words), value });
const rich = (words: string) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [{ type: "text", text: words }] }],
});
const raw = (words: string) => ({ type: "raw_text", text: words });
const number = (value: number) => ({ type: "raw_number", value, text: value.toLocaleString("en") });
const points = (...values: number[]) => values.map((value, at) => ({ label: `Q${at + 1}`, value }));

const axis_config = { categories: ["Q1", "Q2", "Q3", "Q4"], x_label: "Quarter", y_label: "Pumps" };
const series = [
  { name: "Kettering", data: points(120, 132, 101, 134) },
  { name: "Falkirk", data: points(60, 72, 91, 54) },
];

export const MESSAGE: readonly Json[] = [
  { type: "header", block_id: "header", text: text("A header") },
  {
    type: "section",
    block_id: "section",
    text: mrkdwn(
      "*Bold*, _slanted_, ~gone~, `code`, <@U2> in <#C1>, <https://docs.example/a|the docs>",
    ),
    accessory: { type: "button", action_id: "open", text: text("Open"), value: "1" },
  },
  {
    type: "section",
    block_id: "fields",
    fields: [mrkdwn("*Faithfulness*: 100 %"), mrkdwn("*Relevance*: 86 %")],
  },
  { type: "divider", block_id: "divider" },
  {
    type: "context",
    block_id: "context",
    elements: [mrkdwn("🟢 High 86 % · 5 of 5 claims cited")],
  },
  {
    type: "markdown",
    block_id: "markdown",
    text: "## Leave\n\n1. **26 days** a year [1]\n2. ~~25~~\n\n| Site | Days |\n| --- | ---: |\n| Kettering | 26 |\n| Deventer | 27 |\n\n- [x] cited\n\n```\ntotal = 26 + 8\n```",
  },
  {
    type: "rich_text",
    block_id: "rich",
    elements: [
      {
        type: "rich_text_section",
        elements: [
          { type: "text", text: "Rich ", style: { bold: true } },
          { type: "emoji", name: "tada" },
          { type: "link", url: "https://docs.example/rich", text: " link" },
        ],
      },
      {
        type: "rich_text_list",
        style: "ordered",
        elements: [
          { type: "rich_text_section", elements: [{ type: "text", text: "first" }] },
          { type: "rich_text_section", elements: [{ type: "user", user_id: "U2" }] },
        ],
      },
      { type: "rich_text_quote", elements: [{ type: "text", text: "quoted" }] },
      { type: "rich_text_preformatted", elements: [{ type: "text", text: "x = 1" }] },
    ],
  },
  {
    type: "actions",
    block_id: "actions",
    elements: [
      { type: "button", action_id: "yes", text: text("Use it"), style: "primary", value: "y" },
      {
        type: "button",
        action_id: "cancel",
        text: text("Cancel"),
        style: "danger",
        confirm: {
          title: text("Stop?"),
          text: text("It ends."),
          confirm: text("Stop"),
          deny: text("No"),
        },
      },
      {
        type: "static_select",
        action_id: "menu",
        placeholder: text("3 more sources"),
        options: [option("[4] Leave", "4"), option("[5] Pay", "5")],
      },
      {
        type: "overflow",
        action_id: "more",
        options: [option("Copy", "c"), option("Delete", "d")],
      },
    ],
  },
  {
    type: "context_actions",
    block_id: "feedback",
    elements: [
      {
        type: "feedback_buttons",
        action_id: "vote",
        positive_button: { text: text("Good answer"), value: "good" },
        negative_button: { text: text("Bad answer"), value: "bad" },
      },
      { type: "icon_button", action_id: "remove", icon: "trash", text: text("Remove"), value: "r" },
    ],
  },
  {
    type: "plan",
    block_id: "plan",
    title: "Working on it",
    tasks: [
      {
        type: "task_card",
        task_id: "1",
        title: "Search",
        status: "complete",
        output: rich("6 passages"),
      },
      {
        type: "task_card",
        task_id: "2",
        title: "Draft",
        status: "in_progress",
        details: rich("waiting"),
      },
      { type: "task_card", task_id: "3", title: "Audit", status: "pending" },
      { type: "task_card", task_id: "4", title: "Evaluate", status: "error" },
    ],
  },
  {
    type: "task_card",
    block_id: "task",
    task_id: "5",
    title: "Looked it up",
    status: "complete",
    sources: [{ type: "url", url: "https://docs.example/leave", text: "Leave" }],
  },
  {
    type: "table",
    block_id: "table",
    column_settings: [{}, { align: "right" }],
    rows: [
      [raw("Site"), raw("Days")],
      [rich("Kettering"), raw("26")],
    ],
  },
  {
    type: "data_table",
    block_id: "data",
    caption: "Pumps by site",
    page_size: 2,
    row_header_column_index: 0,
    rows: [
      [raw("Site"), raw("Pumps")],
      [raw("Kettering"), number(1_200)],
      [raw("Falkirk"), number(90)],
      [raw("Deventer"), number(430)],
    ],
  },
  ...["bar", "line", "area"].map((type) => ({
    type: "data_visualization",
    block_id: type,
    title: `Pumps a quarter, ${type}`,
    chart: { type, series, axis_config },
  })),
  {
    type: "data_visualization",
    block_id: "pie",
    title: "Share of sites",
    chart: {
      type: "pie",
      segments: [
        { label: "Kettering", value: 60 },
        { label: "Falkirk", value: 30 },
        { label: "Deventer", value: 10 },
      ],
    },
  },
  {
    type: "carousel",
    block_id: "carousel",
    elements: ["One", "Two"].map((name) => ({
      type: "card",
      title: text(`Card ${name}`),
      subtitle: text("Subtitle"),
      body: mrkdwn("What it is about"),
      actions: [{ type: "button", action_id: `card_${name}`, text: text("Choose"), value: name }],
    })),
  },
  {
    type: "image",
    block_id: "image",
    image_url: "https://evil.example/pixel.png",
    alt_text: "A chart",
  },
  { type: "of_tomorrow", block_id: "unknown" },
];

export const FORM: readonly Json[] = [
  { type: "alert", block_id: "alert", level: "warning", text: mrkdwn("This cannot be *undone*.") },
  ...[
    { type: "plain_text_input", max_length: 60, initial_value: "typed before" },
    { type: "plain_text_input", multiline: true, placeholder: text("Several lines") },
    {
      type: "number_input",
      is_decimal_allowed: false,
      initial_value: "5",
      min_value: "0",
      max_value: "9",
    },
    { type: "email_text_input" },
    { type: "static_select", options: [option("Handbook", "h"), option("Minutes", "m")] },
    {
      type: "multi_static_select",
      option_groups: [
        { label: text("Papers"), options: [option("Handbook", "h"), option("Minutes", "m")] },
      ],
      initial_options: [option("Handbook", "h")],
    },
    { type: "external_select", min_query_length: 1, placeholder: text("Search documents") },
    { type: "multi_external_select", min_query_length: 1 },
    { type: "users_select", initial_user: "U2" },
    { type: "multi_users_select" },
    { type: "conversations_select", default_to_current_conversation: true },
    {
      type: "checkboxes",
      options: [option("Guests may ask", "yes")],
      initial_options: [option("Guests may ask", "yes")],
    },
    {
      type: "radio_buttons",
      options: [option("Newest", "n"), option("Best", "b")],
      initial_option: option("Best", "b"),
    },
    { type: "datepicker", initial_date: "2026-04-16" },
    { type: "timepicker", initial_time: "09:30" },
    { type: "datetimepicker", initial_date_time: 1_776_000_000 },
    { type: "file_input", filetypes: ["pdf", "md"], max_files: 3 },
  ].map((element, at) => ({
    type: "input",
    block_id: `in_${at}`,
    label: text(`${element.type.replaceAll("_", " ")} ${at}`),
    optional: at % 2 === 1,
    hint: at === 0 ? text("Sixty characters at most") : undefined,
    element: { ...element, action_id: `in_${at}` },
  })),
];
