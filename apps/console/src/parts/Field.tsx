import { useId, type ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string;
  /** Gets what ties a control to its label and its words. */
  readonly children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ReactNode;
}

/** A control with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const words = `${id}-words`;
  const text = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(text ? { 'aria-describedby': words } : {}), ...(error ? { 'aria-invalid': true } : {}) })}
      {text && (
        <p id={words} className={error ? 'field-error' : 'field-hint'}>
          {text}
        </p>
      )}
    </div>
  );
}
