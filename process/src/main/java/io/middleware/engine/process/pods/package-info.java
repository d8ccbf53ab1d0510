/** Which pods should be there, and why one is not: names, events, images and reports. */
package io.middleware.engine.process.pods;
