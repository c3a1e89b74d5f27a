import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request } from '../../api/graphql.js';
import { revisionAt } from '../../api/moment.js';
import { useCluster } from '../../app/cluster-context.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { READ_WRITTEN } from './operations.generated.js';
import { pastLanes, type PastLane } from './past-lanes.js';

/** What the loops had written up to the moment that is shown, from the log: their runs are not recorded. */
export function PastLanes() {
  const { clusterId, at } = useCluster();
  const [answer, setAnswer] = useState<{ lanes?: readonly PastLane[]; failure?: Failure }>({});
  useEffect(() => {
    let isLeft = false;
    const read = async (): Promise<readonly PastLane[]> => {
      const before = (await revisionAt(clusterId, at)) + 1;
      return pastLanes((await request(READ_WRITTEN, { id: clusterId, before })).timeline.entries);
    };
    read().then(
      (lanes) => isLeft || setAnswer({ lanes }),
      (error: unknown) => isLeft || setAnswer({ failure: toFailure(error) }),
    );
    return () => void (isLeft = true);
  }, [clusterId, at]);
  const { lanes, failure } = answer;
  return (
    <>
      <p className="quiet">{t.lanes.past}</p>
      <ErrorNotice failure={failure} />
      {!lanes && !failure && <Waiting what={t.lanes.pastWaiting} />}
      {lanes?.length === 0 && <EmptyState icon="lanes" title={t.lanes.pastNone} />}
      {lanes && lanes.length > 0 && <PastTable lanes={lanes} />}
    </>
  );
}

const PastTable = ({ lanes }: { readonly lanes: readonly PastLane[] }) => (
  <div className="lanes-scroll" tabIndex={0} role="group" aria-label={t.lanes.pastTable}>
    <table className="table lanes-past">
      <thead>
        <tr>
          <th scope="col">{t.lanes.lane}</th>
          <th scope="col">{t.lanes.pastWrites}</th>
          <th scope="col">{t.lanes.pastLast}</th>
        </tr>
      </thead>
      <tbody>
        {lanes.map(({ name, writes, last }) => (
          <tr key={name}>
            <th scope="row">{visible(name)}</th>
            <td className="number">{writes}</td>
            <td>
              <ol>
                {last.map(({ revision, at, text, cause }) => (
                  <li key={revision}>
                    <span className="quiet">
                      {revision} {visible(at.slice(11, 23))}
                    </span>{' '}
                    {visible(text)}
                    {cause ? <span className="quiet"> {t.lanes.cause(cause)}</span> : null}
                  </li>
                ))}
              </ol>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
