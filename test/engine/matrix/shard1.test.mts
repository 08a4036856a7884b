import { describeMatrix } from '../../support/matrix/suite.mts';

/** The matrix of every third operation, so that several run side by side. */

describeMatrix(0);
