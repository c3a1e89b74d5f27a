import type { Box, Link, Place, Scene } from './scene-parts.js';
import type { Thing, World } from '../model/world.js';

const ROW = 74;
const BOX = { w: 190, h: 50 };
const STEP = 260;
const POD = 30;
/** Pods of one claim that are drawn beside it. */
const MAX_PODS = 5;
const COLUMN_GAP = 60;

/** One row for each claim or volume: pods that mount it, claim, volume, attachment, in columns when there are many. */
export function storageScene(world: World, aspect: number): Scene {
  const rows = chainsOf(world);
  const width = 3 * STEP + BOX.w + COLUMN_GAP;
  const columns = Math.max(1, Math.round(Math.sqrt((rows.length * ROW * aspect) / width)));
  const perColumn = Math.max(1, Math.ceil(rows.length / columns));
  const boxes: Box[] = [];
  const places: Place[] = [];
  const links: Link[] = [];
  rows.forEach((chain, i) => {
    const [x, y] = [Math.floor(i / perColumn) * width, (i % perColumn) * ROW];
    drawChain(chain, x, y, { boxes, places, links });
  });
  const w = Math.max(width, Math.ceil(rows.length / perColumn) * width) - COLUMN_GAP;
  return { mode: 'storage', boxes, places, links, w, h: Math.max(ROW, Math.min(rows.length, perColumn) * ROW) };
}

export interface Chain {
  readonly pods: readonly Thing[];
  readonly claim?: Thing;
  readonly volume?: Thing;
  readonly attachments: readonly Thing[];
}

/** Claims with what they lead to and who uses them; then volumes that nobody claims. */
export function chainsOf(world: World): Chain[] {
  const users = new Map<string, Thing[]>();
  for (const pod of world.all('Pod')) {
    if (!pod.is.claims) continue;
    for (const claim of pod.is.claims) {
      const key = `${pod.namespace}/${claim}`;
      const known = users.get(key);
      if (known) known.push(pod);
      else users.set(key, [pod]);
    }
  }
  const attached = new Map<string, Thing[]>();
  for (const one of world.all('VolumeAttachment'))
    attached.set(one.is.volume ?? '', [...(attached.get(one.is.volume ?? '') ?? []), one]);
  const chains: Chain[] = [];
  const seen = new Set<string>();
  for (const claim of world.all('PersistentVolumeClaim')) {
    const volume = claim.is.volume ? world.find('PersistentVolume', '', claim.is.volume) : undefined;
    if (volume) seen.add(volume.uid);
    const pods = users.get(`${claim.namespace}/${claim.name}`) ?? [];
    chains.push({ pods, claim, attachments: attached.get(volume?.name ?? '-') ?? [], ...(volume ? { volume } : {}) });
  }
  for (const volume of world.all('PersistentVolume'))
    if (!seen.has(volume.uid)) chains.push({ pods: [], volume, attachments: attached.get(volume.name) ?? [] });
  return chains.sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
}

const titleOf = ({ claim, volume }: Chain): string =>
  claim ? `0${claim.namespace}/${claim.name}` : `1${volume?.name ?? ''}`;

type Out = { boxes: Box[]; places: Place[]; links: Link[] };

function drawChain({ pods, claim, volume, attachments }: Chain, x: number, y: number, out: Out): void {
  const middle = y + BOX.h / 2;
  const box = (thing: Thing, column: number): void => {
    const { uid, kind, name } = thing;
    const left = x + column * STEP;
    out.boxes.push({ id: uid, thing, kind, title: name, x: left, y, ...BOX, depth: 0, count: 0, header: BOX.h });
  };
  const link = (from: number, to: number, kind: Link['kind'], isBroken: boolean): void => {
    const [start, end] = [x + from * STEP + BOX.w, x + to * STEP];
    out.links.push({ from: { x: start, y: middle }, to: { x: end, y: middle }, kind, isBroken });
  };
  pods.slice(0, MAX_PODS).forEach((thing, i) => {
    out.places.push({ thing, x: x + BOX.w - POD / 2 - i * (POD + 4), y: middle, side: POD });
  });
  if (claim) box(claim, 1);
  if (claim && pods.length > 0) link(0, 1, 'uses', !pods.some(({ is }) => is.phase === 'Running'));
  if (volume) box(volume, 2);
  if (claim && volume) link(1, 2, 'bound', claim.is.status !== 'Bound');
  const [first] = attachments;
  if (first) box(first, 3);
  if (first && volume) link(2, 3, 'attached', first.is.attached !== true);
}
