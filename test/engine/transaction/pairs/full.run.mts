/** Many pairs, which `npm run pairs` plays (scripts/reliability/pairs.mjs). */
import { seedsOfEnvironment } from '../../../support/faultSeeds/suite.mts';
import { describePairs } from './suite.mts';

describePairs(seedsOfEnvironment());
