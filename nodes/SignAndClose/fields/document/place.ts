import { readTogether } from '../../core/faults';
import type { Params } from '../../core/params';
import type { Place } from '../../service/resources/documents';
import { readPlatform } from '../shared/platform';

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
