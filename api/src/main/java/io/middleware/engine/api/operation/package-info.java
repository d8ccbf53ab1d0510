/** The kind Operation: a request to act on the pods of an App. */
package io.middleware.engine.api.operation;
