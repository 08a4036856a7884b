import { expect, test } from '@jest/globals';

import { describeAddresses } from '../../../host/demo/addresses.mts';

/** What `npm start` prints at its end. */

test('says where the workflows are, and what a credential for the sandbox needs', () => {
	const sandbox = {
		url: 'http://127.0.0.1:5680',
		keys: { full: 'the-key', clientOnly: 'key-of-a-client', childFull: 'key-of-a-child' },
	};
	const printed = describeAddresses('http://127.0.0.1:5678', sandbox, 'abc').join('\n');
	expect(printed).toMatch(/Editor +http:\/\/127\.0\.0\.1:5678\/home\/workflows$/m);
	expect(printed).toMatch(/Workflow +http:\/\/127\.0\.0\.1:5678\/workflow\/abc$/m);
	expect(printed).toMatch(/Base URL +http:\/\/127\.0\.0\.1:5680$/m);
	expect(printed).toMatch(/API Key +the-key$/m);
	expect(printed).not.toMatch(/key-of-a-/);
});
