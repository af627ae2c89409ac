/** Details of a step. */

import type { Span } from "../api/schemas";
import { duration } from "../components/duration";
import { Fact, Facts } from "../components/facts";
import { content, failed, interrupted } from "./span";

export function SpanDetails({ span }: { span: Span }) {
  return (
    <Facts class="span-details">
      <Fact name="What">{content(span)}</Fact>
      <Fact name="Begins">{began(span)}</Fact>
      <Fact name="Took">{duration(span.duration)}</Fact>
      {span.input_tokens + span.output_tokens > 0 && (
        <Fact name="Tokens">{`${span.input_tokens} read, ${span.output_tokens} written`}</Fact>
      )}
      {interrupted(span) && <Fact name="Interrupted">{span.error_msg}</Fact>}
      {failed(span) && <Fact name="Error">{`${span.error_msg} (${span.error_code})`}</Fact>}
      {span.arguments_json && (
        <Fact name="Arguments">
          <pre>{indented(span.arguments_json)}</pre>
        </Fact>
      )}
    </Facts>
  );
}

function began(span: Span): string {
  return span.start < 0 ? `${duration(-span.start)} before the turn` : `${duration(span.start)} after the turn began`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
