/** A button for an action that cannot be undone. A dialog asks first, with the focus on "Keep". */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useElementId } from "./element_id";
import "./confirmed_button.css";

interface Props {
  children: ComponentChildren;
  question: string;
  /** Data that will be lost. */
  consequence: string;
  act: string;
  onConfirm: () => void;
  label?: string;
  disabled?: boolean;
}

export function ConfirmedButton({ children, question, consequence, act, onConfirm, label, disabled }: Props) {
  const dialogue = useRef<HTMLDialogElement>(null);
  const name = useElementId();
  const confirm = () => {
    dialogue.current?.close();
    onConfirm();
  };
  return (
    <>
      <button
        type="button"
        aria-label={label}
        disabled={disabled ?? false}
        onClick={() => dialogue.current?.showModal()}
      >
        {children}
      </button>
      <dialog ref={dialogue} aria-labelledby={name} class="confirm">
        <h2 id={name}>{question}</h2>
        <p>{consequence}</p>
        <div class="row">
          <button type="button" autofocus onClick={() => dialogue.current?.close()}>
            Keep
          </button>
          <button type="button" class="danger" onClick={confirm}>
            {act}
          </button>
        </div>
      </dialog>
    </>
  );
}
