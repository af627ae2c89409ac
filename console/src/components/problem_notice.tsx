/** An error message of the gateway, with a button to try again. */

interface Props {
  error: Error | null;
  again?: () => void;
}

export function ProblemNotice({ error, again }: Props) {
  if (!error) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{error.message}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
