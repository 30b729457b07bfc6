/** What is typed or ticked: texts, numbers, dates, boxes, files. */

import { useEffect, useRef, useState } from "react";
import { Icon } from "../icons";
import { usePress, type ElementProps } from "./buttons";
import { flag, inner, num, said, str, strings, type Json } from "./json";
import { initial, listed } from "./options";
import { Text } from "./text";
import { useSurface, type Held, type Place } from "./surface";

/** What an element holds, and how it is changed: in a form it waits, elsewhere it acts at once. */
function useHeld(
  of: Json,
  at: Place,
  first: Held,
): [Held, (next: Exclude<Held, undefined>) => void] {
  const { form } = useSurface();
  const [own, setOwn] = useState<Held>();
  const [, press] = usePress(of, at);
  const action = str(of, "action_id");
  const typed = /input$/.test(str(of, "type"));
  const hold = (next: Exclude<Held, undefined>) => {
    if (at.input) form.hold(at.block, action, next);
    else setOwn(next);
    // What is typed acts when the form is sent: a press a letter is nobody's wish.
    if (at.acts && !typed) void press(undefined, next);
  };
  return [(at.input ? form.held(at.block, action) : own) ?? first, hold];
}

function marks(of: Json, at: Place) {
  return {
    "aria-labelledby": at.labelledBy,
    "aria-label": at.labelledBy ? undefined : at.label || said(of, "placeholder") || "Value",
    "aria-describedby": at.described,
    "aria-invalid": at.invalid,
  };
}

const KINDS: Readonly<Record<string, string>> = {
  email_text_input: "email",
  url_text_input: "url",
  datepicker: "date",
  timepicker: "time",
  datetimepicker: "datetime-local",
};

export function TextInput({ of, at }: ElementProps) {
  const first = str(of, "initial_value");
  const [held, hold] = useHeld(of, at, first);
  const value = typeof held === "string" ? held : "";
  const most = num(of, "max_length") ?? 3_000;
  const shared = {
    value,
    maxLength: most,
    minLength: num(of, "min_length"),
    placeholder: said(of, "placeholder"),
    ...marks(of, at),
  };
  const several = flag(of, "multiline") || str(of, "type") === "rich_text_input";
  const left = most - value.length;
  return (
    <>
      {several ? (
        <textarea rows={4} {...shared} onChange={(event) => hold(event.target.value)} />
      ) : (
        <input
          type={KINDS[str(of, "type")] ?? "text"}
          {...shared}
          onChange={(event) => hold(event.target.value)}
        />
      )}
      {left <= 50 && <small role="status">{left} characters left</small>}
    </>
  );
}

export function NumberInput({ of, at }: ElementProps) {
  const [held, hold] = useHeld(of, at, str(of, "initial_value"));
  return (
    <input
      type="number"
      value={typeof held === "string" ? held : ""}
      min={num(of, "min_value")}
      max={num(of, "max_value")}
      step={flag(of, "is_decimal_allowed") ? "any" : 1}
      placeholder={said(of, "placeholder")}
      {...marks(of, at)}
      onChange={(event) => hold(event.target.value)}
    />
  );
}

export function DateInput({ of, at }: ElementProps) {
  const type = str(of, "type");
  const [held, hold] = useHeld(of, at, firstDate(of));
  const value = typeof held === "string" ? held : "";
  const local = type === "datetimepicker" ? localTime(value) : value;
  return (
    <input
      type={KINDS[type] ?? "date"}
      value={local}
      {...marks(of, at)}
      onChange={(event) =>
        hold(type === "datetimepicker" ? seconds(event.target.value) : event.target.value)
      }
    />
  );
}

function firstDate(of: Json): string {
  const at = num(of, "initial_date_time");
  return at === undefined ? str(of, "initial_date") || str(of, "initial_time") : String(at);
}

/** Slack counts seconds; the browser's field wants a local time to the minute. */
function localTime(value: string): string {
  if (!value) return "";
  const at = new Date(Number(value) * 1000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function seconds(local: string): string {
  return local ? String(Math.floor(new Date(local).getTime() / 1000)) : "";
}

export function Boxes({ of, at }: ElementProps) {
  const [held, hold] = useHeld(of, at, initial(of, "static", ""));
  const ticked = Array.isArray(held) ? held.map(String) : [];
  const options = listed(of);
  return (
    <div className="boxes" role="group" {...marks(of, at)} aria-invalid={undefined}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={ticked.includes(option.value)}
            onChange={(event) =>
              hold(
                event.target.checked
                  ? [...ticked, option.value]
                  : ticked.filter((each) => each !== option.value),
              )
            }
          />
          <span>
            <Text of={inner(option.whole, "text")} />
            {option.about && <small>{option.about}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}

export function Radios({ of, at }: ElementProps) {
  const [held, hold] = useHeld(of, at, initial(of, "static", ""));
  return (
    <div className="boxes" role="radiogroup" {...marks(of, at)} aria-invalid={undefined}>
      {listed(of).map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={`${at.block}/${str(of, "action_id")}`}
            checked={held === option.value}
            onChange={() => hold(option.value)}
          />
          <span>
            <Text of={inner(option.whole, "text")} />
            {option.about && <small>{option.about}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}

interface Given {
  key: number;
  name: string;
  share: number;
  id?: string;
  trouble?: string;
}

export function FileInput({ of, at }: ElementProps) {
  const { form, upload } = useSurface();
  const picker = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState<Given[]>([]);
  const next = useRef(0);
  const action = str(of, "action_id");
  const most = num(of, "max_files") ?? 10;
  const { hold } = form;
  const ids = given.flatMap((each) => each.id ?? []).join(" ");
  useEffect(() => {
    hold(at.block, action, ids ? ids.split(" ") : []);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only a change of the files counts
  }, [ids]);
  const change = (key: number, to: Partial<Given>) =>
    setGiven((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)));
  const take = (files: Iterable<File>) => {
    for (const file of [...files].slice(0, Math.max(0, most - given.length))) {
      const key = next.current++;
      setGiven((all) => [...all, { key, name: file.name, share: 0 }]);
      upload(file, (share) => change(key, { share })).then(
        ({ id }) => change(key, { id, share: 1 }),
        (error: unknown) =>
          change(key, { trouble: error instanceof Error ? error.message : "It was not taken" }),
      );
    }
  };
  const accept = strings(of, "filetypes")
    .map((each) => `.${each}`)
    .join(",");
  return (
    <div
      className="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files);
      }}
    >
      <input
        ref={picker}
        type="file"
        multiple={most > 1}
        accept={accept}
        {...marks(of, at)}
        onChange={(event) => {
          take(event.target.files ?? []);
          event.target.value = "";
        }}
      />
      <small>
        {most > 1 ? `Up to ${most} files` : "One file"}, or drop {most > 1 ? "them" : "it"} here
      </small>
      <ul>
        {given.map((each) => (
          <li key={each.key}>
            <FileLine
              given={each}
              onRemove={() => setGiven((all) => all.filter((one) => one !== each))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function FileLine({ given, onRemove }: { given: Omit<Given, "key">; onRemove: () => void }) {
  return (
    <div className="file-line">
      <Icon name={given.trouble ? "failed" : given.id ? "done" : "file"} />
      <span>
        {given.name}
        {given.trouble && <small className="trouble">{given.trouble}</small>}
        {!given.id && !given.trouble && (
          <progress value={given.share} max={1} aria-label={`Uploading ${given.name}`} />
        )}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={`Remove ${given.name}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
