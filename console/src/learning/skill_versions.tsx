/** The versions of one skill: compare, pin, unpin, roll back, delete. */

import { Pin } from "lucide-preact";
import { useState } from "preact/hooks";
import { post, request } from "../api/http";
import type { Policy, PolicyRequest } from "../api/schemas";
import { useAction } from "../components/action";
import { ConfirmedButton } from "../components/confirmed_button";
import { plainName } from "../components/plain_name";
import { ProblemNotice } from "../components/problem_notice";
import { Table } from "../components/table";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { plainReason } from "./axis";
import { Comparison } from "./comparison";
import { methodOf } from "./policy";

interface Props {
  skill: string;
  /** Newest first. */
  versions: Policy[];
  changed: () => Promise<void>;
}

/** Versions that are shown at first. */
const SHOWN = 5;

export function SkillVersions({ skill, versions, changed }: Props) {
  const [all, setAll] = useState(false);
  const { running, error, run } = useAction();
  const active = versions.find((one) => one.active);
  const path = `/policies/${encodeURIComponent(skill)}`;
  const decide = (operation: PolicyRequest["operation"], version = 0) =>
    run(() => post(path, { operation, version }).then(changed));
  const forget = () => run(() => request("DELETE", path).then(changed));
  return (
    <section class="skill" aria-label={plainName(skill)}>
      <div class="row skill-head">
        <h3>{plainName(skill)}</h3>
        {active?.pinned && (
          <Tag mood="busy">
            <Pin size={12} aria-hidden="true" /> pinned
          </Tag>
        )}
        {active && (
          <button type="button" disabled={running} onClick={() => decide(active.pinned ? "unpin" : "pin")}>
            {active.pinned ? "Unpin" : `Pin version ${active.version}`}
          </button>
        )}
        <ConfirmedButton
          question={`Delete ${plainName(skill)}?`}
          consequence="All versions are deleted. The robot does again what it did before it learned them."
          act="Delete"
          onConfirm={forget}
          label={`Delete ${plainName(skill)}`}
          disabled={running}
        >
          Delete
        </ConfirmedButton>
      </div>
      <ProblemNotice error={error} />
      <Table
        name={`Versions of ${plainName(skill)}`}
        columns={["Version", "Reason", "Created", <span class="unseen">Choose</span>]}
      >
        {(all ? versions : versions.slice(0, SHOWN)).map((one) => (
          <tr key={one.version}>
            <td>
              {one.version} {one.active && <Tag mood="good">active</Tag>}
            </td>
            <td>
              {plainReason(one.because)} <span class="soft">({methodOf(one.algorithm)})</span>
            </td>
            <td>
              <When stamp={one.created} />
            </td>
            <td>
              {active && one.version < active.version && (
                <button type="button" disabled={running} onClick={() => decide("roll_back", one.version)}>
                  Roll back to {one.version}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <div class="row">
        {versions.length > SHOWN && (
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show only the latest" : `Show all ${versions.length} versions`}
          </button>
        )}
      </div>
      {versions.length > 1 && <Comparison versions={versions} />}
    </section>
  );
}
