/** What an agent is doing: a `plan` with its tasks, or a `task_card` alone. */

import { Icon, type IconName } from "../icons";
import { items, maybe, said, str, type Json } from "./json";
import { RichText } from "./rich";
import { Link } from "./text";

const STATUS: Readonly<Record<string, { icon: IconName; words: string }>> = {
  pending: { icon: "circle", words: "to do" },
  in_progress: { icon: "spinner", words: "in progress" },
  complete: { icon: "done", words: "done" },
  error: { icon: "failed", words: "failed" },
};

export function Plan({ of }: { of: Json }) {
  const tasks = items(of, "tasks");
  const busy = tasks.some((task) => str(task, "status") === "in_progress");
  return (
    <section className="plan" aria-label={said(of, "title") || "Plan"} aria-busy={busy}>
      <p className="plan-title">{said(of, "title")}</p>
      {tasks.length > 0 && (
        <ol>
          {tasks.map((task, at) => (
            <li key={str(task, "task_id") || at}>
              <Task of={task} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export function TaskCard({ of }: { of: Json }) {
  return (
    <section className="plan" aria-label={said(of, "title")}>
      <Task of={of} />
    </section>
  );
}

function Task({ of }: { of: Json }) {
  const status = str(of, "status") || "pending";
  const shown = STATUS[status] ?? { icon: "circle" as const, words: status };
  const [details, output] = [maybe(of, "details"), maybe(of, "output")];
  const sources = items(of, "sources");
  return (
    <div className={`task ${status}`}>
      <Icon name={shown.icon} />
      <div>
        <span>{said(of, "title")}</span>
        <span className="unseen"> ({shown.words})</span>
        {details && <RichText of={details} />}
        {output && <RichText of={output} />}
        {sources.length > 0 && (
          <ul className="chips">
            {sources.map((source, at) => (
              <li key={at}>
                <Link href={str(source, "url")}>{str(source, "text")}</Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
