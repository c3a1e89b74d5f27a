import { useEffect, useMemo, useRef, useState } from 'react';
import { useCluster } from '../../app/cluster-context.js';
import { navigate, useClusterHref, useUrlState } from '../../app/routing/router.js';
import { Button, IconButton } from '../../parts/Button.js';
import { ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import type { PictureEngine } from './engine.js';
import { FaultDialog, FaultList } from './panel/Faults.js';
import { MODES, type Mode } from './model/groups.js';
import { FlowList } from './panel/FlowList.js';
import { Panel } from './panel/Panel.js';
import { zoomAt, followPointer } from './pointing.js';
import type { Story } from './model/story.js';
import { TONES } from './model/tone.js';
import { Twin } from './twin/Twin.js';
import { usePicture } from './use-picture.js';
import type { Thing, World } from './model/world.js';
import './picture.css';

/** The living picture of a cluster. */
export default function PictureView() {
  const { clusterId, at } = useCluster();
  const href = useClusterHref(clusterId);
  const [modeText, setMode] = useUrlState('mode', 'placement', { push: true });
  const mode = MODES.find((one) => one === modeText) ?? 'placement';
  const [selected, select] = useUrlState('selected');
  const [list, setList] = useUrlState('list');
  const [fault, setFault] = useState<{ thing?: Thing }>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { engine, story, turn, failure, flowFailure } = usePicture(canvas, { clusterId, at, mode });
  useEffect(() => {
    if (!engine || !canvas.current) return;
    return followPointer(canvas.current, engine, {
      pick: (uid, actor) => (actor ? navigate(href('lanes')) : select(uid)),
    });
  }, [engine, select, href]);
  useEffect(() => {
    if (!engine) return;
    engine.selected = selected || undefined;
    engine.draw();
  }, [engine, selected]);
  const choose = (uid: string): void => {
    select(uid);
    engine?.reveal(uid);
  };
  const thing = engine?.world.get(selected);
  return (
    <div className="picture">
      <div className="picture-tools">
        <h1 className="picture-title">{t.picture.title}</h1>
        <Modes mode={mode} onChange={setMode} />
        {engine && <Legend world={engine.world} turn={turn} />}
        <span className="space" />
        <Button aria-pressed={list === 'open'} onClick={() => setList(list === 'open' ? undefined : 'open')}>
          {t.picture.list}
        </Button>
        {at === '' && (
          <Button icon="faults" onClick={() => setFault({})}>
            {t.faults.ofCluster}
          </Button>
        )}
        {engine && <Zoom engine={engine} />}
      </div>
      <ErrorNotice failure={failure} />
      <div className="picture-body">
        {engine && list === 'open' && (
          <Twin
            world={engine.world}
            mode={mode}
            turn={turn}
            selected={selected}
            onSelect={choose}
            onOpen={focusPanel}
          />
        )}
        <div className="picture-stage">
          <canvas ref={canvas} role="img" aria-label={engine ? describe(engine.world) : t.picture.title} />
          {engine && engine.world.left !== 0 && <Waiting what={t.picture.waiting(engine.world.left ?? 0)} />}
          {engine?.world.left === 0 && mode === 'storage' && engine.scene.boxes.length === 0 && (
            <p className="waiting">{t.picture.noStorage}</p>
          )}
          {engine && <StoryLines story={story} onSelect={choose} />}
        </div>
        <div className="picture-side">
          {engine && thing ? (
            <Panel
              key={thing.uid}
              world={engine.world}
              thing={thing}
              turn={turn}
              onSelect={choose}
              onClose={() => select(undefined)}
              onFault={() => setFault({ thing })}
            />
          ) : (
            engine && <p className="picture-hint">{t.picture.hint}</p>
          )}
          {engine && mode === 'traffic' && at === '' && (
            <>
              <ErrorNotice failure={flowFailure} />
              <FlowList
                streams={engine.streams}
                {...(thing?.kind === 'Pod' || thing?.kind === 'Service' ? { thing } : {})}
                onSelect={choose}
              />
            </>
          )}
          {engine && <FaultList world={engine.world} turn={turn} onSelect={choose} />}
        </div>
      </div>
      {engine && fault && (
        <FaultDialog
          world={engine.world}
          {...(fault.thing ? { thing: fault.thing } : {})}
          onClose={() => setFault(undefined)}
        />
      )}
    </div>
  );
}

const focusPanel = (): void => document.querySelector<HTMLElement>('.picture-panel h2')?.focus();

const describe = (world: World): string => t.picture.describe(world.count('Node'), world.count('Pod'));

const Modes = ({ mode, onChange }: { readonly mode: Mode; onChange(mode: Mode): void }) => (
  <div className="picture-modes" role="group" aria-label={t.picture.modesLabel}>
    {MODES.map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={one === mode}
        title={t.picture.modeHints[one]}
        onClick={() => onChange(one)}
      >
        {t.picture.modes[one]}
      </button>
    ))}
  </div>
);

/** What the colours mean, and how many there are of each. */
function Legend({ world, turn }: { readonly world: World; readonly turn: number }) {
  const counts = useMemo(() => {
    const sums = TONES.map(() => 0);
    for (const { tone } of world.all('Pod')) sums[tone]!++;
    return sums;
    // The world is the same object: the turn says that it has changed.
  }, [world, turn]);
  return (
    <ul className="picture-legend" aria-label={t.picture.legend}>
      {TONES.map(
        (tone, i) =>
          counts[i]! > 0 && (
            <li key={tone}>
              <span className={`swatch tone-${tone}`} aria-hidden="true" />
              {t.picture.tones[tone]} <b>{counts[i]}</b>
            </li>
          ),
      )}
    </ul>
  );
}

const STEP = 1.5;

function Zoom({ engine }: { readonly engine: PictureEngine }) {
  const zoom = (factor: number): void => {
    const { w, h } = engine.screen;
    engine.setCamera(zoomAt(engine.camera, w / 2, h / 2, factor));
  };
  return (
    <div className="picture-zoom" role="group" aria-label={t.picture.zoom}>
      <IconButton icon="plus" label={t.picture.zoomIn} onClick={() => zoom(STEP)} />
      <Button tone="quiet" aria-label={t.picture.zoomOut} title={t.picture.zoomOut} onClick={() => zoom(1 / STEP)}>
        −
      </Button>
      <Button tone="quiet" onClick={() => engine.fit(true)}>
        {t.picture.fit}
      </Button>
    </div>
  );
}

/** Who did what, the last few lines. */
const StoryLines = ({ story, onSelect }: { readonly story: Story; onSelect(uid: string): void }) => (
  <ol className="picture-story" aria-label={t.picture.story}>
    {story.lines.map(({ key, actor, verb, kind, name, detail, uid }) => (
      <li key={key}>
        <b>{visible(actor)}</b> {t.picture.verbs[verb]}{' '}
        <button type="button" onClick={() => onSelect(uid)}>
          {kind} {visible(name)}
        </button>{' '}
        {detail && t.picture.details(verb, visible(detail))}
      </li>
    ))}
  </ol>
);
