/** Every block by its type. What is not known here says so, and never breaks what is around it. */

import { memo, useId, type ComponentType } from "react";
import { Icon } from "../icons";
import { Button, FeedbackButtons, IconButton, Overflow, type ElementProps } from "./buttons";
import { DataVisualization } from "./charts";
import { Boxes, DateInput, FileInput, NumberInput, Radios, TextInput } from "./fields";
import { flag, inner, items, maybe, said, str, type Json } from "./json";
import { Markdown } from "./markdown";
import { RichText } from "./rich";
import { Select } from "./select";
import { useSurface, type Place } from "./surface";
import { DataTable, Table } from "./tables";
import { Plan, TaskCard } from "./tasks";
import { Text } from "./text";

type BlockProps = { of: Json };

/** Kept while the blocks are the same: Markdown is not read anew with every frame. */
export const Blocks = memo(function Blocks({ of }: { of: readonly Json[] }) {
  return (
    <div className="blocks">
      {of.map((block, at) => {
        const Shown = BLOCKS[str(block, "type")] ?? Unknown;
        // A block that became another kind, or has another id, begins anew.
        return <Shown key={`${str(block, "type")}/${str(block, "block_id") || at}`} of={block} />;
      })}
    </div>
  );
});

function Unknown({ of }: BlockProps) {
  return <p className="muted">A part of the kind “{str(of, "type")}” is not shown here.</p>;
}

function place(block: Json, label = ""): Place {
  return { block: str(block, "block_id"), label, input: false, acts: true };
}

const ELEMENTS: Readonly<Record<string, ComponentType<ElementProps>>> = {
  button: Button,
  workflow_button: Button,
  icon_button: IconButton,
  feedback_buttons: FeedbackButtons,
  overflow: Overflow,
  checkboxes: Boxes,
  radio_buttons: Radios,
  plain_text_input: TextInput,
  rich_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: NumberInput,
  datepicker: DateInput,
  timepicker: DateInput,
  datetimepicker: DateInput,
  file_input: FileInput,
};

function Element({ of, at }: ElementProps) {
  const type = str(of, "type");
  if (type === "image") return <Picture of={of} />;
  if (type.endsWith("_select")) return <Select of={of} at={at} />;
  const Shown = ELEMENTS[type];
  return Shown ? <Shown of={of} at={at} /> : <Unknown of={of} />;
}

/** Pictures are never fetched: what they are about is said instead. */
function Picture({ of }: BlockProps) {
  const title = said(of, "title") || str(of, "alt_text");
  return (
    <span className="picture">
      <Icon name="file" /> {title || "Picture"}
    </span>
  );
}

function Section({ of }: BlockProps) {
  const [text, accessory, fields] = [
    maybe(of, "text"),
    maybe(of, "accessory"),
    items(of, "fields"),
  ];
  return (
    <div className="section">
      <div className="section-text">
        {text && (
          <div className="paragraph">
            <Text of={text} />
          </div>
        )}
        {fields.length > 0 && (
          <div className="field-pairs">
            {fields.map((field, at) => (
              <div key={at}>
                <Text of={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory && (
        <div className="accessory">
          <Element of={accessory} at={place(of, text ? str(text, "text").slice(0, 80) : "")} />
        </div>
      )}
    </div>
  );
}

function Context({ of }: BlockProps) {
  return (
    <div className="context">
      {items(of, "elements").map((element, at) => (
        <span key={at}>
          {str(element, "type") === "image" ? <Picture of={element} /> : <Text of={element} />}
        </span>
      ))}
    </div>
  );
}

function Actions({ of }: BlockProps) {
  return (
    <div className="actions">
      {items(of, "elements").map((element, at) => (
        <Element key={str(element, "action_id") || at} of={element} at={place(of)} />
      ))}
    </div>
  );
}

function Header({ of }: BlockProps) {
  const Level = useSurface().kind === "home" ? "h2" : "h3";
  return <Level className="header">{said(of, "text")}</Level>;
}

function Input({ of }: BlockProps) {
  const id = useId();
  const { form } = useSurface();
  const [element, block, label] = [inner(of, "element"), str(of, "block_id"), said(of, "label")];
  const [hint, error] = [said(of, "hint"), form.errors[block]];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const at: Place = {
    block,
    label,
    input: true,
    acts: flag(of, "dispatch_action"),
    labelledBy: `${id}-label`,
    described: described || undefined,
    invalid: Boolean(error),
  };
  return (
    <div className={error ? "input wrong" : "input"} data-block={block}>
      <div className="label" id={`${id}-label`}>
        {label}
        {flag(of, "optional") && <span className="muted"> (optional)</span>}
      </div>
      <Element of={element} at={at} />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <Icon name="failed" /> {error}
        </p>
      )}
    </div>
  );
}

function Alert({ of }: BlockProps) {
  const level = str(of, "level") || "default";
  return (
    <div className={`alert ${level}`} role={level === "error" ? "alert" : "note"}>
      <Text of={inner(of, "text")} />
    </div>
  );
}

function Card({ of }: BlockProps) {
  const [title, subtitle, body] = [maybe(of, "title"), maybe(of, "subtitle"), maybe(of, "body")];
  const actions = items(of, "actions");
  return (
    <article className="card">
      {title && (
        <p className="card-title">
          <Text of={title} />
        </p>
      )}
      {subtitle && (
        <p className="muted">
          <Text of={subtitle} />
        </p>
      )}
      {body && (
        <p>
          <Text of={body} />
        </p>
      )}
      {actions.length > 0 && (
        <div className="actions">
          {actions.map((each, at) => (
            <Element key={at} of={each} at={place(of)} />
          ))}
        </div>
      )}
    </article>
  );
}

function Carousel({ of }: BlockProps) {
  return (
    <div className="carousel" role="group" aria-label="Cards" tabIndex={0}>
      {items(of, "elements").map((card, at) => (
        <Card key={at} of={card} />
      ))}
    </div>
  );
}

function Container({ of }: BlockProps) {
  return (
    <section className="card">
      {maybe(of, "title") && <p className="card-title">{said(of, "title")}</p>}
      <Blocks of={items(of, "child_blocks")} />
    </section>
  );
}

const BLOCKS: Readonly<Record<string, ComponentType<BlockProps>>> = {
  actions: Actions,
  alert: Alert,
  card: Card,
  carousel: Carousel,
  container: Container,
  context: Context,
  context_actions: Actions,
  data_table: DataTable,
  data_visualization: DataVisualization,
  divider: () => <hr />,
  file: () => <p className="muted">A file of another service</p>,
  header: Header,
  image: Picture,
  input: Input,
  markdown: ({ of }) => <Markdown text={str(of, "text")} />,
  plan: Plan,
  rich_text: RichText,
  section: Section,
  table: Table,
  task_card: TaskCard,
};
