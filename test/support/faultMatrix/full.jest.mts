/** The full form of the fault matrix, which `npm run faults` runs (scripts/reliability/faults.mjs). */
import { useBinaryMode } from '../engine.mts';
import { FAULTS } from '../faultService/faults.mts';
import { nameOf } from './cell.mts';
import { fullPlan } from './plan.mts';
import { describeFaults } from './suite.mts';

const { FAULTS_ALL, FAULTS_ONLY = '', FAULTS_REPORT } = process.env;

await useBinaryMode('filesystem');
const cells = await fullPlan(FAULTS_ALL ? FAULTS : undefined);
describeFaults(
	cells.filter((cell) => nameOf(cell).includes(FAULTS_ONLY)),
	FAULTS_REPORT,
);
