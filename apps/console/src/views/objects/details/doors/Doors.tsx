import { toFailure } from '../../../../api/failure.js';
import { rest } from '../../../../api/rest.js';
import { say } from '../../../../app/shell/toasts.js';
import type { KubeObject } from '../../../../kube/object.js';
import { Button } from '../../../../parts/Button.js';
import { visible } from '../../../../parts/text.js';
import { t } from '../../../../texts/texts.js';
import { doorsOf } from './doors.js';

interface DoorsProps {
  readonly clusterId: string;
  readonly object: KubeObject;
  /** The present: what is past answers nobody. */
  readonly isLive: boolean;
}

/** Ports and hosts, each with a button that opens it in the browser. */
export function Doors({ clusterId, object, isLive }: DoorsProps) {
  const doors = doorsOf(object);
  if (doors.length === 0) return null;
  return (
    <section className="panel doors">
      <h2>{object.kind === 'Ingress' ? t.objects.hosts : t.objects.ports}</h2>
      <ul>
        {doors.map(({ key, label, detail, where }) => (
          <li key={key}>
            <strong>{visible(label)}</strong> <span className="quiet">{visible(detail)}</span>
            {where !== undefined && isLive && (
              <Button
                aria-label={t.objects.openPort(visible(label))}
                title={t.objects.openPortHint}
                onClick={() => void openDoor(clusterId, where)}
              >
                {t.objects.openInBrowser}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens what is behind it at a host of its own, with a token that no page there can read. */
async function openDoor(clusterId: string, where: string): Promise<void> {
  // At once, while it is still the click's doing: a window that opens later is blocked.
  const opened = window.open('about:blank', '_blank');
  if (!opened) return say(t.labs.blocked, 'bad');
  // What it shows is not ours.
  opened.opener = null;
  try {
    const { url } = await rest<{ url: string }>('POST', `/v1/clusters/${encodeURIComponent(clusterId)}/links`, {
      where,
    });
    opened.location.replace(url);
  } catch (error) {
    opened.close();
    say(toFailure(error).message, 'bad');
  }
}
