import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from '../../../api/autoscaling_v2.js';

const CPU_UTILIZATION_PERCENT = 80;

export const DEFAULT_METRICS: readonly MetricSpec[] = [
  {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: CPU_UTILIZATION_PERCENT } },
  },
];
const SCALE_UP: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** Models pkg/apis/autoscaling/v2/defaults.go. */
export function defaultAutoscaler(draft: HorizontalPodAutoscaler): void {
  const { spec } = draft;
  const behavior = spec.behavior && {
    scaleUp: { ...SCALE_UP, ...definedFields(spec.behavior.scaleUp) },
    scaleDown: { ...SCALE_DOWN, ...definedFields(spec.behavior.scaleDown) },
  };
  draft.spec = {
    ...spec,
    minReplicas: spec.minReplicas ?? 1,
    metrics: spec.metrics?.length ? spec.metrics : [...DEFAULT_METRICS],
    ...(behavior ? { behavior } : {}),
  };
}

/** The rules without the fields that are absent, so that they do not hide defaults. */
const definedFields = (rules: HPAScalingRules | undefined): HPAScalingRules =>
  Object.fromEntries(Object.entries(rules ?? {}).filter(([, value]) => value !== undefined));
