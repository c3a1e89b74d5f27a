import { Dialog } from '../../parts/Dialog.js';
import { t } from '../../texts/texts.js';
import { shortcutsOpen } from './commands.js';

/** What the keys do, wherever one is. */
export default function Shortcuts() {
  return (
    <Dialog title={t.shortcuts.title} isOpen onClose={() => shortcutsOpen.set(false)}>
      <dl className="shortcuts">
        {t.shortcuts.list.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
