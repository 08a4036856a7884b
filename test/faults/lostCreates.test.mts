import { describeLostCreates } from './lostCreates/suite.mts';

/** Creates whose answers are lost, the same ones each time. `npm run lost-creates` runs many more. */
describeLostCreates({ from: 1, count: 150 });
