import { useMemo } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import type { KubeObject } from '../../../kube/object.js';
import type { Resource } from '../../../kube/resource.js';
import { printYaml } from '../editor/apply.js';
import { withoutManaged } from '../editor/conflicts.js';
import { ManifestEditor } from '../editor/ManifestEditor.js';

interface YamlProps {
  readonly object: KubeObject;
  readonly resources: readonly Resource[];
  readonly isReadOnly: boolean;
}

/** An object's text, without who manages which field. */
export default function Yaml({ object, resources, isReadOnly }: YamlProps) {
  const { clusterId } = useCluster();
  const text = useMemo(() => printYaml(withoutManaged(object)), [object]);
  return (
    <ManifestEditor
      clusterId={clusterId}
      resources={resources}
      namespace={object.metadata.namespace ?? ''}
      initial={text}
      isReadOnly={isReadOnly}
      fileName={`${object.kind.toLowerCase()}-${object.metadata.name}.yaml`}
    />
  );
}
