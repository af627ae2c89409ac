/** The tests of a tool, with their results if they ran. */

import type { ToolTest, ToolTestResult } from "../api/schemas";
import { Table } from "../components/table";
import { Tag } from "../components/tag";

export function Cases({ cases, results }: { cases: ToolTest[]; results?: ToolTestResult[] }) {
  return (
    <Table name="Tests" columns={["Arguments", "Expected", ...(results ? ["Came"] : [])]}>
      {cases.map((one, index) => {
        const result = results?.[index];
        return (
          <tr key={index}>
            <td>
              <code>{JSON.stringify(one.args)}</code>
            </td>
            <td>{expected(one)}</td>
            {results && (
              <td>
                {result && <Tag mood={result.ok ? "good" : "bad"}>{result.ok ? "passed" : "failed"}</Tag>}{" "}
                {result && <code>{result.error || JSON.stringify(result.result)}</code>}
              </td>
            )}
          </tr>
        );
      })}
    </Table>
  );
}

function expected({ expect, raises }: ToolTest) {
  if (raises) return <code>raises {raises}</code>;
  return expect === null ? <span class="soft">anything but an error</span> : <code>{JSON.stringify(expect)}</code>;
}
