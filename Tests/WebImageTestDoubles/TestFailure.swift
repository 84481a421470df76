struct TestFailure: Error { let text: String }
