import { describePairs } from './suite.mts';

/** 200 pairs, the same ones each time. `npm run pairs` plays many more. */
describePairs({ from: 1, count: 20 });
