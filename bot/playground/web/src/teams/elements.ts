/**
 * What `adaptivecards` does not know of Teams' cards: charts. Each becomes a place in which the page's
 * own drawer draws. No processor of Markdown is set, so that no text of a card is ever HTML.
 */

import {
  AdaptiveCard,
  CardElement,
  CardObjectRegistry,
  ExecuteAction,
  GlobalRegistry,
  GlobalSettings,
  SerializationContext,
  SubmitAction,
  Table,
  Version,
  Versions,
  type Action,
  type PropertyBag,
} from "adaptivecards";
import { inner, isJson, items, num, str, type Json } from "../blocks/json";
import { HOST } from "./host";

export interface Drawn {
  element: HTMLElement;
  charts: readonly { host: HTMLElement; block: Json }[];
}

/** What a button of a card asks for, with what was typed beside it. */
export type Act =
  { kind: "press"; verb: string; data: Json } | { kind: "open" | "send"; data: Json };

const CHARTS = [
  "Chart.VerticalBar",
  "Chart.VerticalBar.Grouped",
  "Chart.HorizontalBar",
  "Chart.Line",
  "Chart.Pie",
  "Chart.Donut",
];
const PLACES = new WeakMap<HTMLElement, Json>();

class Chart extends CardElement {
  #source: Json = {};

  getJsonTypeName(): string {
    return "Chart";
  }

  protected override internalParse(source: PropertyBag, context: SerializationContext): void {
    super.internalParse(source, context);
    this.#source = source;
  }

  protected internalRender(): HTMLElement {
    const place = document.createElement("div");
    place.className = "ac-chart";
    PLACES.set(place, blockOf(this.#source));
    return place;
  }
}

/** The same figures as a block of Slack's, which the page can draw. */
export function blockOf(chart: Json): Json {
  const kind = str(chart, "type");
  const [title, data] = [str(chart, "title"), items(chart, "data")];
  if (kind === "Chart.Pie" || kind === "Chart.Donut") {
    const segments = data.map((each) => ({
      label: str(each, "legend"),
      value: num(each, "value"),
    }));
    return { title, chart: { type: "pie", segments } };
  }
  const several = data.some((each) => Array.isArray(each["values"]));
  const named = several ? data : [{ legend: title, values: data }];
  const series = named.map((each) => ({
    name: str(each, "legend"),
    data: items(each, "values").map((each) => ({ label: label(each), value: num(each, "y") })),
  }));
  const categories = [...new Set(series.flatMap((each) => each.data.map(({ label }) => label)))];
  const axis_config = {
    categories,
    x_label: str(chart, "xAxisTitle"),
    y_label: str(chart, "yAxisTitle"),
  };
  return { title, chart: { type: kind === "Chart.Line" ? "line" : "bar", axis_config, series } };
}

function label(point: Json): string {
  const value = point["x"];
  return typeof value === "number" ? String(value) : str(point, "x");
}

const ELEMENTS = new CardObjectRegistry<CardElement>();
GlobalRegistry.populateWithDefaultElements(ELEMENTS);
ELEMENTS.register("Table", Table, Versions.v1_5);
for (const name of CHARTS) ELEMENTS.register(name, Chart, Versions.v1_5);
// Nothing of content is fetched.
for (const name of ["Image", "ImageSet", "Media"]) ELEMENTS.unregister(name);

GlobalSettings.useAdvancedTextBlockTruncation = false;
GlobalSettings.setTabIndexAtCardRoot = false;
AdaptiveCard.onProcessMarkdown = (_text, result) => {
  result.didProcess = false;
};

/** Draw a card; what is pressed in it is told to `act`. */
export function drawn(source: Json, act: (asked: Act) => void): Drawn {
  const card = new AdaptiveCard();
  card.version = new Version(1, 5);
  card.hostConfig = HOST;
  card.onExecuteAction = (action) => {
    const asked = meant(action);
    if (asked) act(asked);
  };
  const context = new SerializationContext(new Version(1, 5));
  context.setElementRegistry(ELEMENTS);
  card.parse(named(source), context);
  const element = card.render() ?? document.createElement("div");
  const charts = [...element.querySelectorAll<HTMLElement>(".ac-chart")].map((host) => ({
    host,
    block: PLACES.get(host) ?? {},
  }));
  return { element, charts };
}

/** A card with the names of whom it mentions in place of their marks, as Teams writes them. */
export function named(source: Json): Json {
  const mentions = items(inner(source, "msteams"), "entities").filter(
    (each) => str(each, "type") === "mention",
  );
  const body = items(source, "body").map((element) =>
    str(element, "type") === "TextBlock"
      ? { ...element, text: mentions.reduce(unmarked, str(element, "text")) }
      : element,
  );
  return mentions.length ? { ...source, body } : source;
}

function unmarked(text: string, mention: Json): string {
  return text.split(str(mention, "text")).join(str(inner(mention, "mentioned"), "name"));
}

function meant(action: Action): Act | undefined {
  if (!(action instanceof ExecuteAction || action instanceof SubmitAction)) return undefined;
  const data = isJson(action.data) ? action.data : {};
  if (action instanceof ExecuteAction) return { kind: "press", verb: action.verb, data };
  return { kind: str(inner(data, "msteams"), "type") === "task/fetch" ? "open" : "send", data };
}
