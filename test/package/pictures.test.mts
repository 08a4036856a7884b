import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashForms } from '../../host/pictures/pictureForms.mts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { ROOT } from '../../scripts/runtime.mjs';

/** Pictures of forms that aren't any more as they were when the picture was taken. */

test('each picture of a form was taken of the form as it is', () => {
	const file = join(ROOT, 'docs', 'images', 'forms.json');
	const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
	const forms = hashForms(new SignAndClose().description.properties as never);
	const untrue = Object.keys(forms).filter((picture) => stored[picture] !== forms[picture]);
	// Take them again, and look at them: npm run screenshots
	expect(untrue).toEqual([]);
	expect(Object.keys(stored)).toEqual(Object.keys(forms));
});
