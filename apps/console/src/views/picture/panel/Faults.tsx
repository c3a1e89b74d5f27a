import { useMemo, useState, type FormEvent } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import { toFailure, type Failure } from '../../../api/failure.js';
import { request, useQuery } from '../../../api/graphql.js';
import { APPLY_MANIFEST } from '../../../kube/operations.generated.js';
import { Button } from '../../../parts/Button.js';
import { Dialog } from '../../../parts/Dialog.js';
import { Field } from '../../../parts/Field.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { podsOf } from './facts-of.js';
import { faultManifest, targetOf, typesFor } from './fault-manifest.js';
import { READ_FAULT, LIST_FAULT_TYPES, type FaultParameter, type FaultType } from '../model/operations.generated.js';
import type { Thing, World } from '../model/world.js';

interface DialogProps {
  readonly world: World;
  /** What was pointed at; without, the whole cluster is meant. */
  readonly thing?: Thing;
  onClose(): void;
}

/** Lets something go wrong with what was pointed at. */
export function FaultDialog({ world, thing, onClose }: DialogProps) {
  const { clusterId } = useCluster();
  const { data, failure } = useQuery(LIST_FAULT_TYPES, { id: clusterId });
  const types = useMemo(
    () => typesFor(data?.faultTypes ?? [], thing).filter(({ needs }) => needs.length === 0 || thing !== undefined),
    [data, thing],
  );
  const title = thing ? t.faults.putOn(thing.kind, visible(thing.name)) : t.faults.ofCluster;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ErrorNotice failure={failure} />
      {!data && !failure && <Waiting what={t.faults.waiting} />}
      {types.length > 0 && <FaultForm types={types} world={world} {...(thing ? { thing } : {})} onClose={onClose} />}
    </Dialog>
  );
}

function FaultForm({ types, world, thing, onClose }: DialogProps & { readonly types: readonly FaultType[] }) {
  const { clusterId } = useCluster();
  const [name, setName] = useState(types[0]!.name);
  const [duration, setDuration] = useState('5m');
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<Failure>();
  const type = types.find((one) => one.name === name) ?? types[0]!;
  const put = (event: FormEvent): void => {
    event.preventDefault();
    const target = targetOf(type, thing, thing ? podsOf(world, thing) : []);
    const manifest = faultManifest({ type, target, duration, given, suffix: Date.now().toString(36) });
    request(APPLY_MANIFEST, { id: clusterId, manifest }).then(onClose, (error: unknown) =>
      setFailure(toFailure(error)),
    );
  };
  return (
    <form className="fault-form" onSubmit={put}>
      <Field label={t.faults.type} hint={`${type.about} ${t.faults.symptoms(type.symptoms)}`}>
        {(control) => (
          <select {...control} value={type.name} onChange={(e) => setName(e.target.value)}>
            {types.map((one) => (
              <option key={one.name}>{one.name}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.faults.duration} hint={t.faults.durationHint}>
        {(control) => <input {...control} value={duration} onChange={(e) => setDuration(e.target.value)} />}
      </Field>
      {type.parameters.map((parameter) => (
        <ParameterField
          key={`${type.name}/${parameter.name}`}
          parameter={parameter}
          value={given[parameter.name] ?? ''}
          onChange={(value) => setGiven({ ...given, [parameter.name]: value })}
        />
      ))}
      <ErrorNotice failure={failure} />
      <div className="dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" tone="bad" icon="faults">
          {t.faults.begin}
        </Button>
      </div>
    </form>
  );
}

interface ParameterProps {
  readonly parameter: FaultParameter;
  readonly value: string;
  onChange(value: string): void;
}

function ParameterField({ parameter, value, onChange }: ParameterProps) {
  const { name, about, type, of } = parameter;
  const isMissing = parameter.default === undefined || parameter.default === null;
  const usual = isMissing ? undefined : String(parameter.default);
  const choices = type === 'boolean' ? ['true', 'false'] : type === 'choice' ? (of ?? []) : undefined;
  return (
    <Field label={name} hint={about}>
      {(control) =>
        choices ? (
          <select
            {...control}
            value={value || (usual ?? '')}
            required={isMissing}
            onChange={(e) => onChange(e.target.value)}
          >
            {isMissing && <option value="" />}
            {choices.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          <input
            {...control}
            value={value}
            placeholder={usual}
            required={isMissing}
            onChange={(e) => onChange(e.target.value)}
          />
        )
      }
    </Field>
  );
}

interface ListProps {
  readonly world: World;
  readonly turn: number;
  onSelect(uid: string): void;
}

/** The faults that are there, the active ones first. */
export function FaultList({ world, onSelect }: ListProps) {
  const { clusterId, at } = useCluster();
  const [failure, setFailure] = useState<Failure>();
  const faults = [...world.all('Fault')]
    .sort((a, b) => rankOf(a) - rankOf(b) || b.created - a.created)
    .slice(0, MAX_SHOWN);
  if (faults.length === 0) return null;
  const end = (name: string): void => {
    setFailure(undefined);
    endFault(clusterId, name).catch((error: unknown) => setFailure(toFailure(error)));
  };
  return (
    <section className="picture-faults" aria-label={t.faults.title}>
      <h2>{t.faults.title}</h2>
      <ErrorNotice failure={failure} />
      <ul>
        {faults.map(({ uid, name, is }) => (
          <li key={uid} className={is.status === 'Active' ? 'active' : ''}>
            <button type="button" className="picture-go" onClick={() => onSelect(uid)}>
              {visible(is.type ?? name)}
            </button>{' '}
            <span className="quiet">
              {t.faults.phases[is.status as keyof typeof t.faults.phases] ?? visible(is.status ?? '')}
            </span>
            <p className="quiet">{visible((is.targets ?? []).join(', '))}</p>
            {at === '' && (is.status === 'Active' || is.status === 'Pending') && (
              <Button onClick={() => end(name)}>{t.faults.end}</Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const MAX_SHOWN = 20;
const rankOf = ({ is }: Thing): number => (is.status === 'Active' ? 0 : is.status === 'Pending' ? 1 : 2);

/** Ends it as `kubectl patch` would: all else of its spec stays. */
async function endFault(id: string, name: string): Promise<void> {
  const { object } = (await request(READ_FAULT, { id, name })) as { readonly object: { readonly spec: object } | null };
  if (!object) return;
  const manifest = {
    ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'Fault', metadata: { name } },
    spec: { ...object.spec, ended: true },
  };
  await request(APPLY_MANIFEST, { id, manifest });
}
