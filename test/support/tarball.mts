import { join } from 'node:path';

import { RUN_DIR } from '../../scripts/runtime.mjs';

/** The packed package. `npm test` builds it before any test runs. */
export const TARBALL = join(RUN_DIR, 'package.tgz');
