/** The full form of the fault matrix, which `npm run faults` runs (scripts/reliability/faults.mjs). */
import { useBinaryMode } from '../engine.mts';
import { nameOf } from './cell.mts';
import { fullPlan } from './plan.mts';
import { describeFaults } from './suite.mts';

const { FAULTS_ONLY = '', FAULTS_REPORT } = process.env;

await useBinaryMode('filesystem');
const cells = await fullPlan();
describeFaults(
	cells.filter((cell) => nameOf(cell).includes(FAULTS_ONLY)),
	FAULTS_REPORT,
);
