/** Many seeds, which `npm run seeds` runs (scripts/reliability/faults.mjs). */
import { describeSeeds } from './suite.mts';

const { SEEDS_FROM = '1', SEEDS_COUNT = '1000', FAULTS_REPORT } = process.env;

describeSeeds(Number(SEEDS_FROM), Number(SEEDS_COUNT), FAULTS_REPORT);
