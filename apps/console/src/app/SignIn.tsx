import { useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../api/failure.js';
import { signIn } from '../api/session.js';
import { Button } from '../parts/Button.js';
import { Field } from '../parts/Field.js';
import { ErrorNotice } from '../parts/Notice.js';
import { t } from '../texts/texts.js';

/** The key stands in its field until it is exchanged, and nowhere after. */
export function SignIn({ failure }: { readonly failure: Failure | undefined }) {
  const [key, setKey] = useState('');
  const [refused, setRefused] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(key);
    } catch (error) {
      setRefused(toFailure(error));
      setBusy(false);
    } finally {
      setKey('');
    }
  };
  const isWrong = refused?.status === 401;
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>{t.shell.brand}</h1>
        <p>{t.signIn.intro}</p>
        <Field label={t.signIn.key} {...(isWrong ? { error: t.signIn.wrong } : {})}>
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              value={key}
              onChange={(e) => setKey(e.target.value)}
              autoFocus
              required
            />
          )}
        </Field>
        <Button type="submit" tone="main" disabled={isBusy || key.trim() === ''}>
          {t.signIn.submit}
        </Button>
        <ErrorNotice failure={isWrong ? undefined : (refused ?? (failure?.status === 401 ? undefined : failure))} />
      </form>
    </main>
  );
}
