import { readTogether } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { readPlatform } from '../shared/platform';
import type { Place } from './api';

/**
 * Reads which document of which transaction an item works on.
 * @throws InputFailure when one of them is empty
 */
export function readPlace(params: Params): Place {
	return readTogether({
		transactionId: () => params.requiredLocator('transactionId'),
		documentId: () => params.requiredLocator('documentId'),
		platform: () => readPlatform(params),
	});
}
