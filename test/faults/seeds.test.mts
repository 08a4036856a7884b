import { describeSeeds } from '../support/faultSeeds/suite.mts';

/** Workflows and faults by chance, the same ones each time. `npm run seeds` runs many more. */
describeSeeds({ from: 1, count: 40 });
