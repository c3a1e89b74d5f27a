import type { ViewProps } from '../views.js';
import { LabList } from './LabList.js';
import { Wall } from './Wall.js';
import './labs.css';

/** A tenant's labs; one of them: the wall of its learners. */
export default function Labs({ rest: [lab] }: ViewProps) {
  return lab === undefined ? <LabList /> : <Wall key={lab} lab={lab} />;
}
