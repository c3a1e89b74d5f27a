import { useEffect, useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request } from '../../api/graphql.js';
import { useCluster } from '../../app/cluster-context.js';
import { useUrlState } from '../../app/routing/router.js';
import { isBookkeeping } from '../../kube/order.js';
import { Button } from '../../parts/Button.js';
import { Field } from '../../parts/Field.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible, visibleLines } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { COMPARE_MOMENTS, type CompareMoments, type Difference } from './operations.generated.js';

const AGES = ['-1m', '-10m', '-1h'];

type Diff = CompareMoments['diff'];

/** What is different between two moments of the cluster; both stand in the URL. */
export default function CompareView() {
  const { clusterId, at } = useCluster();
  const [from, setFrom] = useUrlState('from', at || '-10m');
  const [to, setTo] = useUrlState('to');
  const [all, setAll] = useUrlState('all');
  const [state, setState] = useState<{ diff?: Diff; failure?: Failure }>({});
  const read = (cursor?: string): Promise<Diff> =>
    request(COMPARE_MOMENTS, { id: clusterId, from, ...(to ? { to } : {}), ...(cursor ? { cursor } : {}) }).then(
      ({ diff }) => diff,
    );
  useEffect(() => {
    let isLeft = false;
    setState({});
    readShown(read, () => isLeft).then(
      (diff) => isLeft || setState({ diff }),
      (error: unknown) => isLeft || setState({ failure: toFailure(error) }),
    );
    return () => void (isLeft = true);
    // Read anew when one of the moments is another.
  }, [clusterId, from, to]);
  const more = (diff: Diff): void =>
    void readShown(read, () => false, diff).then(
      (next) => setState({ diff: next }),
      (error: unknown) => setState({ diff, failure: toFailure(error) }),
    );
  const choose = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setFrom(String(given.get('from') ?? '') || undefined);
    setTo(String(given.get('to') ?? '') || undefined);
  };
  const since = (age: string): void => {
    setFrom(age);
    setTo(undefined);
  };
  const { diff, failure } = state;
  const shown = diff?.items.filter(({ resource }) => all === '1' || !isBookkeeping(resource));
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.compare.title}</h1>
      </div>
      <form className="filters" onSubmit={choose} key={`${from}/${to}`}>
        <Field label={t.compare.from} hint={t.compare.hint}>
          {(control) => <input {...control} name="from" defaultValue={from} />}
        </Field>
        <Field label={t.compare.to}>{(control) => <input {...control} name="to" defaultValue={to} />}</Field>
        <Button type="submit">{t.compare.go}</Button>
        {AGES.map((age) => (
          <Button key={age} tone="quiet" aria-pressed={from === age && to === ''} onClick={() => since(age)}>
            {t.compare.since(age.slice(1))}
          </Button>
        ))}
        <label className="compare-all">
          <input type="checkbox" checked={all === '1'} onChange={(event) => setAll(event.target.checked ? '1' : '')} />
          {t.compare.all}
        </label>
      </form>
      <ErrorNotice failure={failure} />
      {!diff && !failure && <Waiting what={t.compare.waiting} />}
      {shown?.length === 0 && !diff?.nextCursor && <EmptyState icon="time" title={t.compare.none} />}
      {shown?.map((one) => (
        <DifferenceRow key={`${one.resource}/${one.namespace ?? ''}/${one.name}`} difference={one} />
      ))}
      {diff?.nextCursor && <Button onClick={() => more(diff)}>{t.compare.more}</Button>}
    </div>
  );
}

const FEWEST = 30;
const MAX_PAGES = 10;

/** Reads on as long as there is little but events: they stand among the others by their name. */
async function readShown(
  read: (cursor?: string) => Promise<Diff>,
  isOver: () => boolean,
  before: Diff = { items: [], nextCursor: null },
): Promise<Diff> {
  const told = (diff: Diff): number => diff.items.filter(({ resource }) => !isBookkeeping(resource)).length;
  const enough = told(before) + FEWEST;
  let diff = before;
  for (let page = 0; page < MAX_PAGES; page++) {
    const next = await read(diff.nextCursor ?? undefined);
    diff = { ...next, items: [...diff.items, ...next.items] };
    if (!diff.nextCursor || told(diff) >= enough || isOver()) break;
  }
  return diff;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : visibleLines(JSON.stringify(value));

const DifferenceRow = ({
  difference: { type, resource, namespace, name, changes },
}: {
  readonly difference: Difference;
}) => (
  <details className="difference">
    <summary>
      <b className={`difference-${type}`}>{t.compare.kinds[type]}</b> {visible(resource)}{' '}
      {visible(namespace ? `${namespace}/${name}` : name)}
    </summary>
    {changes && changes.length > 0 && (
      <div className="table-scroll" tabIndex={0} role="region" aria-label={visible(name)}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t.compare.field}</th>
              <th scope="col">{t.compare.before}</th>
              <th scope="col">{t.compare.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ path, from, to }) => (
              <tr key={path}>
                <td>{visible(path)}</td>
                <td>{textOf(from)}</td>
                <td>{textOf(to)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </details>
);
