/** Many seeds, which `npm run seeds` runs (scripts/reliability/faults.mjs). */
import { describeSeeds, seedsOfEnvironment } from './suite.mts';

describeSeeds(seedsOfEnvironment());
