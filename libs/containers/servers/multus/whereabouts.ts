import type { Program } from '../../../engine/kernel/process/program.js';
import { daemon } from './daemon.js';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Puts the plug-in and its configuration on a node, as whereabouts' image does it. */
export const INSTALL_SCRIPT = `#!/bin/sh
set -u -e
bin=\${CNI_BIN_DIR:-/host/opt/cni/bin/}
net=\${CNI_CONF_DIR:-/host/etc/cni/net.d}
mkdir -p "$net/whereabouts.d"
cat > "$net/whereabouts.d/whereabouts.kubeconfig" <<END
apiVersion: v1
kind: Config
clusters:
- name: local
  cluster:
    server: https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT
    certificate-authority-data: $(base64 ${ACCOUNT}/ca.crt | tr -d '\\n')
users:
- name: whereabouts
  user:
    token: "$(cat ${ACCOUNT}/token)"
contexts:
- name: whereabouts-context
  context:
    cluster: local
    user: whereabouts
    namespace: \${WHEREABOUTS_NAMESPACE:-kube-system}
current-context: whereabouts-context
END
cat > "$net/whereabouts.d/whereabouts.conf" <<END
{
  "datastore": "kubernetes",
  "kubernetes": {
    "kubeconfig": "/etc/cni/net.d/whereabouts.d/whereabouts.kubeconfig"
  },
  "log_file": "/tmp/whereabouts.log",
  "log_level": "debug"
}
END
cp -f /whereabouts "$bin"
echo "Done configuring CNI.  Sleep=\${SLEEP:-true}"
while [ "\${SLEEP:-true}" = true ]; do sleep 1000000; done
`;

/**
 * The loop that takes back addresses of pods that are gone: here nobody holds any. Left out: whereabouts' objects
 * (IPPool, OverlappingRangeIPReservation), and what it says of them.
 */
export const controlLoop: Program = daemon((_args, sys) => {
  const at = new Date(sys.now).toISOString().slice(0, 19);
  return { out: [], err: [`${at}Z [debug] Filtering pods with filter key 'spec.nodeName'`] };
});
