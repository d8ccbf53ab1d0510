/** The rules and problems that refuse an edit of an App or a Plugin, each beside its reason. */
package io.middleware.engine.planning.validation;
