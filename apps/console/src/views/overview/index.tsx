import { useCluster } from '../../app/cluster-context.js';
import { Age } from '../../parts/Age.js';
import { visible } from '../../parts/text.js';
import { Changes } from './Changes.js';
import { Health } from './Health.js';
import { Next } from './Next.js';
import './overview.css';

/** What the cluster is, what is not well in it and why, what one can do next, and what happens, with who did it. */
export default function Overview() {
  const { cluster } = useCluster();
  return (
    <section className="page">
      <header className="page-head">
        <h1>{visible(cluster.name)}</h1>
        <span className="count">
          Kubernetes {cluster.version} · <Age at={cluster.createdAt} />
        </span>
      </header>
      <Health />
      <Next />
      <Changes />
    </section>
  );
}
