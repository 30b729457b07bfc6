/** Menus to choose one or several from, with a field that filters, or asks the app for options. */

import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { Icon } from "../icons";
import { usePress, type ElementProps } from "./buttons";
import { num, said, str } from "./json";
import { chosen, initial, listed, menuOption, named, sourceOf, type Option } from "./options";
import { Popover } from "./popover";
import { useSurface, type Held } from "./surface";

const TYPING_MS = 250;
const LEAST_TYPED = 3;

/** The offered options for what is typed, and why there are none. */
function useOffered({ of, at }: ElementProps, typed: string, open: boolean): [Option[], string] {
  const surface = useSurface();
  const source = sourceOf(str(of, "type"));
  const [found, setFound] = useState<Option[]>([]);
  const [words, setWords] = useState("");
  const least = num(of, "min_query_length") ?? LEAST_TYPED;
  const action = str(of, "action_id");
  const ask = useRef(surface.options);
  useEffect(() => {
    ask.current = surface.options;
  });
  useEffect(() => {
    if (source !== "external" || !open) return undefined;
    let stale = false;
    const look = async () => {
      if (typed.length < least) {
        setFound([]);
        setWords(`Type ${least} characters or more`);
        return;
      }
      setWords("Looking…");
      try {
        const answer = await ask.current(at.block, action, typed);
        if (stale) return;
        const all = listed({ ...answer });
        setFound(all);
        setWords(all.length ? "" : "Nothing found");
      } catch {
        if (!stale) setWords("The options did not load");
      }
    };
    const later = setTimeout(() => void look(), TYPING_MS);
    return () => {
      stale = true;
      clearTimeout(later);
    };
  }, [source, open, typed, least, at.block, action]);
  const all = useMemo(() => {
    if (source === "external") return found;
    if (source === "users") return named(surface.people);
    return source === "static" ? listed(of) : named(surface.channels, "#");
  }, [source, found, of, surface.people, surface.channels]);
  if (source === "external") return [all, words];
  const wanted = typed.trim().toLowerCase();
  const shown = all.filter((each) => each.words.toLowerCase().includes(wanted));
  return [shown, shown.length ? "" : "Nothing found"];
}

export function Select(props: ElementProps) {
  const { of, at } = props;
  const surface = useSurface();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [, press] = usePress(of, at);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const [own, setOwn] = useState<Held>();
  const source = sourceOf(str(of, "type"));
  const several = str(of, "type").startsWith("multi_");
  const [offered, words] = useOffered(props, typed, open);
  const action = str(of, "action_id");
  const held =
    (at.input ? surface.form.held(at.block, action) : own) ?? initial(of, source, surface.here);
  const everything =
    source === "static" ? listed(of) : [...named(surface.people), ...named(surface.channels, "#")];
  const picked = chosen(held, everything);
  const shut = () => {
    setOpen(false);
    setTyped("");
  };
  const begin = () => {
    const at = offered.findIndex((each) => each.value === picked[0]?.value);
    setActive(several ? 0 : Math.max(0, at));
    setOpen(true);
  };
  const take = (options: Option[]) => {
    const values = options.map((each) =>
      source === "external" ? menuOption(each.whole) : each.value,
    );
    const next = (several ? values : (values[0] ?? "")) as Exclude<Held, undefined>;
    if (at.input) surface.form.hold(at.block, action, next);
    else setOwn(next);
    if (at.acts) void press(undefined, next);
  };
  const choose = (option: Option) => {
    const has = picked.some((each) => each.value === option.value);
    if (!several) {
      take([option]);
      shut();
      return;
    }
    take(has ? picked.filter((each) => each.value !== option.value) : [...picked, option]);
    setTyped("");
  };
  const keys = (event: KeyboardEvent) => {
    const option = offered[active];
    const last = offered.length - 1;
    if (event.key === "Escape" && open) {
      // The form around it stays open.
      event.preventDefault();
      event.stopPropagation();
      shut();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) begin();
      else if (event.key === "ArrowDown") setActive(active >= last ? 0 : active + 1);
      else setActive(active <= 0 ? last : active - 1);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (option) choose(option);
    } else if (event.key === "Backspace" && several && !typed && picked.length) {
      take(picked.slice(0, -1));
    }
  };
  const shown = open || several ? typed : (picked[0]?.words ?? "");
  return (
    <div className="select">
      {several && picked.length > 0 && (
        <ul className="chosen" aria-label="Chosen">
          {picked.map((each) => (
            <li key={each.value}>
              {each.words}
              <button
                type="button"
                aria-label={`Remove ${each.words}`}
                onClick={() => take(picked.filter((one) => one.value !== each.value))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="select-field">
        <input
          ref={field}
          type="text"
          role="combobox"
          autoComplete="off"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-activedescendant={open && offered[active] ? `${id}-${active}` : undefined}
          aria-label={at.labelledBy ? undefined : said(of, "placeholder") || at.label || "Choose"}
          aria-labelledby={at.labelledBy}
          aria-describedby={at.described}
          aria-invalid={at.invalid}
          placeholder={said(of, "placeholder") || (several ? "Choose some" : "Choose one")}
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value);
            setOpen(true);
            setActive(0);
          }}
          onClick={() => {
            if (!open) begin();
          }}
          onBlur={shut}
          onKeyDown={keys}
        />
        <Icon name="down" />
      </div>
      {open && (
        <Popover anchor={field} onClose={shut} wide>
          <div
            id={`${id}-list`}
            className="listbox"
            role="listbox"
            aria-label={at.label || said(of, "placeholder") || "Options"}
            aria-multiselectable={several}
          >
            {offered.map((option, n) => (
              <OptionRow
                key={`${option.group}/${option.value}`}
                id={`${id}-${n}`}
                option={option}
                first={option.group !== (offered[n - 1]?.group ?? "")}
                active={n === active}
                selected={picked.some((each) => each.value === option.value)}
                onChoose={() => choose(option)}
              />
            ))}
          </div>
          {words && (
            <p className="nothing" role="status">
              {words}
            </p>
          )}
        </Popover>
      )}
    </div>
  );
}

interface RowProps {
  id: string;
  option: Option;
  first: boolean;
  active: boolean;
  selected: boolean;
  onChoose: () => void;
}

function OptionRow({ id, option, first, active, selected, onChoose }: RowProps) {
  return (
    <>
      {first && option.group && (
        <p className="menu-heading" role="presentation">
          {option.group}
        </p>
      )}
      {/* The field keeps the focus; its keys choose. */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        className={active ? "entry active" : "entry"}
        ref={(row) => {
          if (row && active) row.scrollIntoView({ block: "nearest" });
        }}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onChoose}
      >
        <span>
          {option.words}
          {option.about && <small>{option.about}</small>}
        </span>
        {selected && <Icon name="done" />}
      </div>
    </>
  );
}
