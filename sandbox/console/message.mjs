// The line in the header that says what went wrong with the whole page.

const place = document.getElementById('message');

export const showMessage = (words) => {
	place.textContent = words;
};

export const clearMessage = (words) => {
	if (place.textContent === words) place.textContent = '';
};
