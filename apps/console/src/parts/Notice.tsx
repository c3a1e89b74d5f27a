import { useEffect, useState, type ReactNode } from 'react';
import type { Failure } from '../api/failure.js';
import { t } from '../texts/texts.js';
import { Button } from './Button.js';
import { Icon, type IconName } from './Icon.js';
import { visibleLines } from './text.js';

/** Nothing is here, and what one can do about it. */
export const EmptyState = ({
  icon,
  title,
  children,
}: {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}) => (
  <div className="empty">
    {icon && <Icon name={icon} size={32} />}
    <h2>{title}</h2>
    {children}
  </div>
);

/** Why something did not work, in the server's words. */
export function ErrorNotice({
  failure,
  onRetry,
}: {
  readonly failure: Failure | undefined;
  readonly onRetry?: () => void;
}) {
  if (!failure) return null;
  return (
    <div className="notice bad" role="alert">
      <Icon name="warning" />
      <p>{failure.status === 0 ? t.common.noAnswer(visibleLines(failure.message)) : visibleLines(failure.message)}</p>
      {onRetry && <Button onClick={onRetry}>{t.common.retry}</Button>}
    </div>
  );
}

const PATIENCE_MS = 100;

/** Shown only when it takes longer than a tenth of a second; says what is waited for. */
export function Waiting({ what }: { readonly what: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="waiting" role="status">
      {isLate && (
        <>
          <span className="pulse" aria-hidden="true" />
          {what}
        </>
      )}
    </div>
  );
}
