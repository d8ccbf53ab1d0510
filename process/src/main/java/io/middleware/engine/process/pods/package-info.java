/** What pods should be there, and why one is not. */
package io.middleware.engine.process.pods;
