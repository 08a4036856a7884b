/** Many seeds, which `npm run lost-creates` runs (scripts/reliability/faults.mjs). */
import { seedsOfEnvironment } from '../../support/faultSeeds/suite.mts';
import { describeLostCreates } from './suite.mts';

describeLostCreates(seedsOfEnvironment());
