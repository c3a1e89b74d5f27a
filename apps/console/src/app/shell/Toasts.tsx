import { useStore } from '../../api/store.js';
import { IconButton } from '../../parts/Button.js';
import { visibleLines } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { dismiss, toasts } from './toasts.js';

export const Toasts = () => (
  <div className="toasts" role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text, tone }) => (
      <div key={id} className={`toast ${tone}`}>
        <p>{visibleLines(text)}</p>
        <IconButton icon="close" label={t.common.close} onClick={() => dismiss(id)} />
      </div>
    ))}
  </div>
);
