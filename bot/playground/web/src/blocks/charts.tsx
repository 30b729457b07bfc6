/** `data_visualization`: pie, bar, line and area, each with the same figures as a table. */

import { useId, useState } from "react";
import { inner, items, num, str, strings, type Json } from "./json";

const WIDTH = 520;
const HEIGHT = 240;
const PAD = { left: 56, right: 12, top: 24, bottom: 44 };
const SHADES = 12;
/** Pixels of a letter of a tick, about. */
const LETTER = 6.2;
const COMPACT_FROM = 1_000_000;

interface Series {
  name: string;
  values: (number | undefined)[];
}

interface Chart {
  kind: string;
  categories: string[];
  series: Series[];
  xLabel: string;
  yLabel: string;
}

/** A chart's figures, a value for each category; a pie is one series of its segments. */
export function figures(chart: Json): Chart {
  const kind = str(chart, "type");
  if (kind === "pie") {
    const segments = items(chart, "segments");
    const values = segments.map((each) => num(each, "value"));
    const categories = segments.map((each) => str(each, "label"));
    return { kind, categories, series: [{ name: "Value", values }], xLabel: "", yLabel: "" };
  }
  const axes = inner(chart, "axis_config");
  const categories = strings(axes, "categories");
  const series = items(chart, "series").map((each) => {
    const points = new Map(items(each, "data").map((p) => [str(p, "label"), num(p, "value")]));
    return { name: str(each, "name"), values: categories.map((name) => points.get(name)) };
  });
  return { kind, categories, series, xLabel: str(axes, "x_label"), yLabel: str(axes, "y_label") };
}

export function DataVisualization({ of }: { of: Json }) {
  const caption = useId();
  const [asTable, setAsTable] = useState(false);
  const chart = figures(inner(of, "chart"));
  return (
    <figure className="chart">
      <figcaption id={caption}>
        <span>{str(of, "title")}</span>
        <button
          type="button"
          className="small"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          Show as table
        </button>
      </figcaption>
      {asTable ? (
        <Figures chart={chart} labelledBy={caption} />
      ) : (
        <Drawing chart={chart} labelledBy={caption} />
      )}
    </figure>
  );
}

interface Drawn {
  chart: Chart;
  labelledBy: string;
}

function Figures({ chart, labelledBy }: Drawn) {
  return (
    <div className="table-wrap" role="group" aria-labelledby={labelledBy} tabIndex={0}>
      <table aria-labelledby={labelledBy}>
        <thead>
          <tr>
            <th scope="col">{chart.xLabel || "Category"}</th>
            {chart.series.map((each) => (
              <th key={each.name} scope="col" className="number">
                {each.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chart.categories.map((name, at) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {chart.series.map((each) => (
                <td key={each.name} className="number">
                  {each.values[at]?.toLocaleString() ?? "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Drawing({ chart, labelledBy }: Drawn) {
  const legend = chart.kind === "pie" ? chart.categories : chart.series.map((each) => each.name);
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={labelledBy}>
        {chart.kind === "pie" ? <Pie chart={chart} /> : <Plot chart={chart} />}
      </svg>
      {legend.length > 1 && (
        <ul className="legend">
          {legend.map((name, at) => (
            <li key={name}>
              <span className={`swatch shade-${at % SHADES}`} aria-hidden />
              {name}
              {chart.kind === "pie" && <span className="quiet"> {shareOf(chart, at)}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A slice's figure, and its share of the whole. */
export function shareOf(chart: Chart, at: number): string {
  const values = (chart.series[0]?.values ?? []).map((each) => Math.max(0, each ?? 0));
  const whole = values.reduce((sum, each) => sum + each, 0);
  const value = values[at] ?? 0;
  const share = whole > 0 ? Math.round((value / whole) * 1000) / 10 : 0;
  return `${value.toLocaleString()} · ${share.toLocaleString()} %`;
}

function Pie({ chart }: { chart: Chart }) {
  const values = (chart.series[0]?.values ?? []).map((each) => Math.max(0, each ?? 0));
  const whole = values.reduce((sum, each) => sum + each, 0);
  if (whole <= 0) return null;
  const ends = values.map((_, at) => values.slice(0, at + 1).reduce((a, b) => a + b, 0) / whole);
  return values.map((_, at) => (
    <path
      key={at}
      className={`slice shade-${at % SHADES}`}
      d={slice(ends[at - 1] ?? 0, ends[at] ?? 1)}
    >
      <title>{`${chart.categories[at] ?? ""}: ${shareOf(chart, at)}`}</title>
    </path>
  ));
}

function slice(from: number, to: number): string {
  const [x, y, r] = [WIDTH / 2, HEIGHT / 2, HEIGHT / 2 - 12];
  // A whole circle has no two ends to draw an arc between.
  const end = Math.min(to, from + 0.9999);
  const point = (share: number) => {
    const angle = share * 2 * Math.PI - Math.PI / 2;
    return `${x + r * Math.cos(angle)} ${y + r * Math.sin(angle)}`;
  };
  const wide = end - from > 0.5 ? 1 : 0;
  return `M${x} ${y} L${point(from)} A${r} ${r} 0 ${wide} 1 ${point(end)} Z`;
}

interface Scale {
  x: (at: number) => number;
  y: (value: number) => number;
  band: number;
  ticks: number[];
}

function scaled(chart: Chart): Scale {
  const all = chart.series.flatMap((each) => each.values.filter((v) => v !== undefined));
  const ticks = ticksOf(Math.min(0, ...all), Math.max(0, ...all));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const band = (WIDTH - PAD.left - PAD.right) / Math.max(1, chart.categories.length);
  const tall = HEIGHT - PAD.top - PAD.bottom;
  return {
    x: (at) => PAD.left + band * (at + 0.5),
    y: (value) => PAD.top + tall * (1 - (value - low) / (high - low || 1)),
    band,
    ticks,
  };
}

/** About five round figures from the lowest to the highest, zero among them. */
export function ticksOf(low: number, high: number): number[] {
  const raw = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= raw) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}

/** A category in up to two lines of so many letters; the rest is an ellipsis. */
export function linesOf(name: string, letters: number): string[] {
  const cut = (text: string) =>
    text.length > letters ? `${text.slice(0, Math.max(1, letters - 1)).trimEnd()}…` : text;
  if (name.length <= letters) return [name];
  const space = name.lastIndexOf(" ", letters);
  if (space <= 0) return [cut(name)];
  return [name.slice(0, space), cut(name.slice(space + 1))];
}

/** Ticks that are as long as their figures, up to a million. */
function tickOf(value: number): string {
  const compact = Math.abs(value) >= COMPACT_FROM;
  return Intl.NumberFormat(undefined, compact ? { notation: "compact" } : {}).format(value);
}

function Plot({ chart }: { chart: Chart }) {
  const scale = scaled(chart);
  const every = Math.ceil(chart.categories.length / 12);
  const letters = Math.max(3, Math.floor((scale.band * every - 4) / LETTER));
  return (
    <>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className="gridline"
            x1={PAD.left}
            x2={WIDTH - PAD.right}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
          />
          <text className="tick" x={PAD.left - 6} y={scale.y(tick) + 4} textAnchor="end">
            {tickOf(tick)}
          </text>
        </g>
      ))}
      {chart.categories.map(
        (name, at) =>
          at % every === 0 && (
            <text key={name} className="tick" y={HEIGHT - 28} textAnchor="middle">
              <title>{name}</title>
              {linesOf(name, letters).map((line, row) => (
                <tspan key={row} x={scale.x(at)} dy={row ? 12 : 0}>
                  {line}
                </tspan>
              ))}
            </text>
          ),
      )}
      {chart.yLabel && (
        <text className="tick" x={PAD.left - 6} y={11} textAnchor="end">
          <title>{chart.yLabel}</title>
          {linesOf(chart.yLabel, 8)[0]}
        </text>
      )}
      {chart.xLabel && (
        <text className="tick" x={WIDTH / 2} y={HEIGHT - 3} textAnchor="middle">
          {chart.xLabel}
        </text>
      )}
      {chart.series.map((each, at) =>
        chart.kind === "bar" ? (
          <Bars key={at} chart={chart} series={each} at={at} scale={scale} />
        ) : (
          <Line key={at} area={chart.kind === "area"} series={each} at={at} scale={scale} />
        ),
      )}
    </>
  );
}

interface Mark {
  series: Series;
  at: number;
  scale: Scale;
}

function Bars({ chart, series, at, scale }: Mark & { chart: Chart }) {
  const wide = (scale.band * 0.7) / chart.series.length;
  return series.values.map((value, category) => {
    if (value === undefined) return null;
    const [top, foot] = [
      Math.min(scale.y(value), scale.y(0)),
      Math.max(scale.y(value), scale.y(0)),
    ];
    return (
      <rect
        key={category}
        className={`bar shade-${at % SHADES}`}
        x={scale.x(category) - scale.band * 0.35 + wide * at}
        y={top}
        width={Math.max(1, wide - 2)}
        height={Math.max(1, foot - top)}
        rx={2}
      >
        <title>{`${chart.categories[category] ?? ""}, ${series.name}: ${value.toLocaleString()}`}</title>
      </rect>
    );
  });
}

function Line({ area, series, at, scale }: Mark & { area: boolean }) {
  const points = series.values.flatMap((value, category) =>
    value === undefined ? [] : [{ x: scale.x(category), y: scale.y(value), value }],
  );
  const path = points.map((p, n) => `${n ? "L" : "M"}${p.x} ${p.y}`).join(" ");
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const foot = scale.y(0);
  return (
    <g className={`line shade-${at % SHADES}`}>
      {area && <path className="under" d={`${path} L${last.x} ${foot} L${first.x} ${foot} Z`} />}
      <path className="stroke" d={path} />
      {points.map((p, n) => (
        <circle key={n} cx={p.x} cy={p.y} r={3.5}>
          <title>{`${series.name}: ${p.value.toLocaleString()}`}</title>
        </circle>
      ))}
    </g>
  );
}
