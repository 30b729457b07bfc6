/** `table` and `data_table`: the second has a caption, a header row, pages and sorting. */

import { useId, useMemo, useState } from "react";
import { isJson, num, str, type Json } from "./json";
import { RichText, words } from "./rich";

type Cell = Json;
const PAGE = 10;

function rowsOf(block: Json): Cell[][] {
  const rows = block["rows"];
  if (!Array.isArray(rows)) return [];
  return rows.filter(Array.isArray).map((row: unknown[]) => row.filter(isJson));
}

function CellText({ of }: { of: Cell }) {
  return str(of, "type") === "rich_text" ? <RichText of={of} /> : <>{cellWords(of)}</>;
}

function cellWords(of: Cell): string {
  if (str(of, "type") === "rich_text") return words(of);
  return str(of, "text") || (num(of, "value")?.toLocaleString() ?? "");
}

function isNumber(of: Cell | undefined): boolean {
  return of !== undefined && str(of, "type") === "raw_number";
}

export function Table({ of }: { of: Json }) {
  const rows = rowsOf(of);
  const settings = Array.isArray(of["column_settings"]) ? of["column_settings"] : [];
  const align = (at: number) => {
    const setting: unknown = settings[at];
    const side = isJson(setting) ? str(setting, "align") : "";
    return side === "center" || side === "right" ? ({ textAlign: side } as const) : undefined;
  };
  return (
    <div className="table-wrap" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} style={align(column)}>
                  <CellText of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Sorting {
  column: number;
  down: boolean;
}

export function DataTable({ of }: { of: Json }) {
  const caption = useId();
  const [head = [], ...body] = useMemo(() => rowsOf(of), [of]);
  const [sorting, setSorting] = useState<Sorting>();
  const [page, setPage] = useState(0);
  const size = Math.max(1, Math.min(num(of, "page_size") ?? PAGE, 100));
  const sorted = sorting ? sort(body, sorting) : body;
  const pages = Math.max(1, Math.ceil(sorted.length / size));
  const held = Math.min(page, pages - 1);
  const heading = num(of, "row_header_column_index");
  return (
    <figure className="data-table">
      <figcaption id={caption}>{str(of, "caption")}</figcaption>
      <div className="table-wrap" role="group" aria-labelledby={caption} tabIndex={0}>
        <table aria-labelledby={caption}>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <Heading
                  key={column}
                  cell={cell}
                  number={isNumber(body[0]?.[column])}
                  sorting={sorting?.column === column ? sorting : undefined}
                  onSort={() =>
                    setSorting({ column, down: sorting?.column === column && !sorting.down })
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(held * size, (held + 1) * size).map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => {
                  const side = isNumber(cell) ? "number" : undefined;
                  if (column !== heading) {
                    return (
                      <td key={column} className={side}>
                        <CellText of={cell} />
                      </td>
                    );
                  }
                  return (
                    <th key={column} scope="row" className={side}>
                      <CellText of={cell} />
                    </th>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <div className="pager">
          <button
            type="button"
            className="small"
            disabled={held === 0}
            onClick={() => setPage(held - 1)}
          >
            Back
          </button>
          <span role="status">
            Page {held + 1} of {pages} · {sorted.length} rows
          </span>
          <button
            type="button"
            className="small"
            disabled={held === pages - 1}
            onClick={() => setPage(held + 1)}
          >
            Next
          </button>
        </div>
      )}
    </figure>
  );
}

interface HeadingProps {
  cell: Cell;
  number: boolean;
  sorting: Sorting | undefined;
  onSort: () => void;
}

function Heading({ cell, number, sorting, onSort }: HeadingProps) {
  const order = sorting ? (sorting.down ? "descending" : "ascending") : "none";
  return (
    <th scope="col" aria-sort={order} className={number ? "number" : undefined}>
      <button type="button" className="sorter" onClick={onSort}>
        <CellText of={cell} />
        <span aria-hidden>{sorting ? (sorting.down ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

function sort(rows: readonly Cell[][], { column, down }: Sorting): Cell[][] {
  const by = (a: Cell[], b: Cell[]) => compare(a[column], b[column]) * (down ? -1 : 1);
  return [...rows].sort(by);
}

function compare(a: Cell | undefined, b: Cell | undefined): number {
  if (!a || !b) return a ? 1 : b ? -1 : 0;
  const [x, y] = [num(a, "value"), num(b, "value")];
  if (x !== undefined && y !== undefined) return x - y;
  return cellWords(a).localeCompare(cellWords(b), undefined, { numeric: true });
}
