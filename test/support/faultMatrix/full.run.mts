/** The full form of the fault matrix, which `npm run faults` runs (scripts/reliability/faults.mjs). */
import { useBinaryMode } from '../engine.mts';
import { nameOf } from './cell.mts';
import { fullPlan } from './plan.mts';
import { describeFaults } from './suite.mts';

const { FAULTS_ONLY = '', FAULTS_REPORT, FAULTS_PART = '0/1' } = process.env;
const [part, parts] = FAULTS_PART.split('/').map(Number);

await useBinaryMode('filesystem');
const cells = await fullPlan();
describeFaults(
	cells.filter((cell, index) => nameOf(cell).includes(FAULTS_ONLY) && index % parts === part),
	FAULTS_REPORT,
);
