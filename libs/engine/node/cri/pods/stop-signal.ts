import { SIGNALS, type Signal } from '../../../kernel/signals.js';
import type { ImageCatalog } from '../image.js';
import { parseReference } from '../images/reference.js';

const isSignal = (name: string): name is Signal => name in SIGNALS;

/**
 * What a container of an image is sent to stop it: the image's STOPSIGNAL, a name or a number; by default SIGTERM.
 * Models containerd's internal/cri/server/container_stop.go and moby/sys/signal ParseSignal. A signal that no process
 * here knows is SIGTERM.
 */
export function stopSignalOf(image: string, images: ImageCatalog): Signal {
  const reference = parseReference(image);
  const found = reference && images.resolve(reference);
  const text = found && 'image' in found ? (found.image.config.stopSignal ?? '') : '';
  const name = text.toUpperCase().replace(/^SIG/, '');
  if (isSignal(name)) return name;
  return (Object.keys(SIGNALS) as Signal[]).find((signal) => String(SIGNALS[signal]) === text) ?? 'TERM';
}
