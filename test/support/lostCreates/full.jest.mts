/** Many seeds, which `npm run lost-creates` runs (scripts/reliability/faults.mjs). */
import { describeLostCreates } from './suite.mts';

const { SEEDS_FROM = '1', SEEDS_COUNT = '1000', FAULTS_REPORT } = process.env;

describeLostCreates(Number(SEEDS_FROM), Number(SEEDS_COUNT), FAULTS_REPORT);
