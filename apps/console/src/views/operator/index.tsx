import { useCallback, useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { rest } from '../../api/rest.js';
import { Age } from '../../parts/Age.js';
import { Button } from '../../parts/Button.js';
import { formatBytes, formatCount } from '../../parts/format.js';
import { ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { Load } from './Load.js';
import './operator.css';

interface Limits {
  readonly clusters: number;
  readonly nodes: number;
  readonly bytes: number;
  readonly requestsPerSecond?: number;
}
interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly suspended: boolean;
  readonly limits: Limits;
  readonly used: Pick<Limits, 'clusters' | 'nodes' | 'bytes'>;
  readonly createdAt: string;
}

/** Tenants with what they use, of the first page of them. */
async function readTenants(): Promise<Tenant[]> {
  const { items } = await rest<{ items: Tenant[] }>('GET', '/v1/operator/tenants');
  return Promise.all(items.map(({ id }) => rest<Tenant>('GET', `/v1/operator/tenants/${id}`)));
}

export default function OperatorView() {
  const [found, setFound] = useState<{ tenants?: readonly Tenant[]; failure?: Failure }>({});
  const read = useCallback(() => {
    readTenants().then(
      (tenants) => setFound({ tenants }),
      (error: unknown) => setFound((last) => ({ ...last, failure: toFailure(error) })),
    );
  }, []);
  useEffect(read, [read]);
  const { tenants, failure } = found;
  if (!tenants && !failure) return <Waiting what={t.operator.waiting} />;
  return (
    <section className="page">
      <header className="page-head">
        <h1>{t.operator.title}</h1>
        <span className="space" />
        <Button onClick={read}>{t.operator.refresh}</Button>
      </header>
      <ErrorNotice failure={failure} onRetry={read} />
      <Load />
      <h2>{t.operator.tenants}</h2>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={t.operator.tenants}>
        <table className="table">
          <thead>
            <tr>
              {(['name', 'state', 'clusters', 'nodes', 'bytes', 'rate', 'since'] as const).map((column) => (
                <th key={column} scope="col">
                  {t.operator.columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tenants?.map(({ id, name, suspended, limits, used, createdAt }) => (
              <tr key={id}>
                <th scope="row">{visible(name)}</th>
                <td>{suspended ? t.operator.suspended : t.operator.active}</td>
                <td>{t.operator.of(formatCount(used.clusters), formatCount(limits.clusters))}</td>
                <td>{t.operator.of(formatCount(used.nodes), formatCount(limits.nodes))}</td>
                <td>{t.operator.of(formatBytes(used.bytes), formatBytes(limits.bytes))}</td>
                <td>{limits.requestsPerSecond ?? t.operator.noLimit}</td>
                <td>
                  <Age at={createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
